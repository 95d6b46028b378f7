#pragma once

#include <cstddef>

#include "bermuda/core/stop.hpp"
#include "bermuda/nn/kernels.hpp"

namespace bermuda::nn {

/// Sizes of one Transformer layer (Vaswani et al. 2017), and where its weights are in one array.
struct EncoderShape {
  int width = 32;
  int heads = 4;  ///< divides width
  int hidden = 128;
  bool norm_first = false;  ///< normalise what goes into each half of a layer, not what comes out
};

/// Offsets of the weights of a layer laid end to end; matrices are [outputs, inputs]. In a row of
/// queries, keys or values the head runs fastest: number k of head h is at k * heads + h, so that
/// no sum runs across lanes.
struct EncoderLayout {
  explicit EncoderLayout(const EncoderShape& shape)
      : EncoderLayout(static_cast<std::size_t>(shape.width),
                      static_cast<std::size_t>(shape.hidden)) {}

  std::size_t qkv, qkv_bias;  ///< queries, keys, values: [3 width, width]
  std::size_t out, out_bias;
  std::size_t norm1, norm1_bias;  ///< of the attention's half
  std::size_t expand, expand_bias;
  std::size_t contract, contract_bias;
  std::size_t norm2, norm2_bias;  ///< of the feed-forward half
  std::size_t size;

 private:
  EncoderLayout(std::size_t width, std::size_t hidden)
      : qkv(0),
        qkv_bias(qkv + 3 * width * width),
        out(qkv_bias + 3 * width),
        out_bias(out + width * width),
        norm1(out_bias + width),
        norm1_bias(norm1 + width),
        expand(norm1_bias + width),
        expand_bias(expand + hidden * width),
        contract(expand_bias + hidden),
        contract_bias(contract + width * hidden),
        norm2(contract_bias + width),
        norm2_bias(norm2 + width),
        size(norm2_bias + width) {}
};

/// Who attends to whom: each row of a graph to all rows of the graph, or, where there are lists, to
/// the rows listed and itself. Lists stay within the graph.
struct AttentionScope {
  const int* graph_offsets = nullptr;  ///< rows of graph g: graph_offsets[g] .. [g + 1]
  RowLists lists;
};

/// One layer over the rows of some graphs. With attention() over the scope, scaled by
/// 1 / sqrt(width / heads), norm() over each row's numbers, and ff(x) = relu(x expand) contract:
///   h = norm1(x + attention(x)), y = norm2(h + ff(h)), or
///   h = x + attention(norm1(x)), y = h + ff(norm2(h)) where the norm comes first.
/// Nothing crosses graphs, so a caller works through a batch some graphs at a time: what lies
/// between the matrix products then stays in cache.
template <typename T>
struct EncoderArgs {
  EncoderShape shape;
  AttentionScope scope;
  const T* weights = nullptr;
  const T* transposed = nullptr;  ///< the four matrices as [inputs, outputs], at the same offsets
  const T* x = nullptr;
  T* y = nullptr;
  // Kept for the way back, one row per row of x.
  T* qkv = nullptr;        ///< 3 width
  T* softmax = nullptr;    ///< 2 heads: largest score, 1 / sum of exp(score - largest)
  T* heard = nullptr;      ///< width: what attention gives
  T* normal1 = nullptr;    ///< width: (z - mean) / deviation
  T* inverse1 = nullptr;   ///< 1: 1 / deviation
  T* hidden = nullptr;     ///< hidden
  T* normal2 = nullptr;    ///< width
  T* inverse2 = nullptr;   ///< 1
  const T* dy = nullptr;   ///< on the way back
  T* dx = nullptr;         ///< on the way back
  T* gradients = nullptr;  ///< of the weights: added to
  T* scratch = nullptr;    ///< encoder_scratch() numbers
  int longest = 0;         ///< the most rows that one attends to
  StopPoll stop;  ///< attention takes quadratic time; once it says so, the rest is left out
};

/// Scores are worked on in whole vectors: room for the last one.
constexpr std::size_t kScorePadding = 64;

/// Numbers of scratch for graphs with this many rows in all, none of which attends to more than
/// `longest` rows.
std::size_t encoder_scratch(const EncoderShape& shape, int rows, int longest);

/// `graphs` are numbers of graphs, not of rows.
void encode(const EncoderArgs<float>& args, Rows graphs);
void encode(const EncoderArgs<double>& args, Rows graphs);
void encode_back(const EncoderArgs<float>& args, Rows graphs);
void encode_back(const EncoderArgs<double>& args, Rows graphs);

/// Sizes of the first vectors of nodes, see embed_topology() in operators.hpp.
struct TopologyShape {
  int indices = 0;      ///< rows of E
  int width = 16;       ///< of E
  int node_labels = 0;  ///< 0: unlabelled
  int node_width = 0;   ///< of a node label's vector
  int edge_labels = 0;
  int edge_width = 0;

  /// Coefficients that a neighbour's vector is multiplied with: 1, edge label, its label.
  int coefficients() const { return 1 + edge_width + node_width; }
  /// Of the result.
  int columns() const { return coefficients() * width + node_width + width; }
};

/// Offsets of the tables laid end to end.
struct TopologyLayout {
  explicit TopologyLayout(const TopologyShape& shape)
      : edge(count(shape.indices, shape.width)),
        neighbour(edge + count(shape.edge_labels, shape.edge_width)),
        own(neighbour + count(shape.node_labels, shape.node_width)),
        size(own + count(shape.node_labels, shape.node_width)) {}
  std::size_t edge;       ///< vectors of edge labels
  std::size_t neighbour;  ///< vectors of the neighbours' labels
  std::size_t own;        ///< vectors of a node's own label
  std::size_t size;

 private:
  static std::size_t count(int rows, int width) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
  }
};

/// y[v] = [sum over neighbours u of (1, edge[label of uv], neighbour[label of u]) (outer) E[row of
/// u], own[label of v], E[row of v]]. A number below zero stands for a vector of zeros.
template <typename T>
struct TopologyArgs {
  TopologyShape shape;
  const T* tables = nullptr;
  const int* table_rows = nullptr;   ///< row of E of each node
  const int* node_labels = nullptr;  ///< of each node
  const int* edge_labels = nullptr;  ///< of each entry of the lists
  RowLists neighbours;
  T* y = nullptr;
  const T* dy = nullptr;   ///< on the way back
  T* gradients = nullptr;  ///< of the tables: added to
};
void embed_topology(const TopologyArgs<float>& args, Rows rows);
void embed_topology(const TopologyArgs<double>& args, Rows rows);
void embed_topology_back(const TopologyArgs<float>& args, Rows rows);
void embed_topology_back(const TopologyArgs<double>& args, Rows rows);

}  // namespace bermuda::nn
