#pragma once

#include <memory>

#include "bermuda/nn/network.hpp"

namespace bermuda::nn {

/// The paper's first vectors of nodes: learned tables, one of them with one row per node index.
/// First values of E that make all nodes look almost the same, so that degrees show.
inline constexpr double kAlikeScale = 0.1;
inline constexpr double kAlikeShift = 1;

struct TopologyOptions {
  FeatureSpec features;  ///< features.indices: rows of E
  int width = 16;        ///< of E
  double scale = 1;      ///< deviation of the first values of E
  double shift = 0;      ///< deviation of a vector that all rows of E have in common at first
  int alike = 0;        ///< the first so many columns of E have kAlikeScale and kAlikeShift instead
  int node_width = 4;   ///< of a node label's vector, where nodes have labels
  int edge_width = 2;   ///< of an edge label's vector, where edges have labels
  bool shuffle = true;  ///< draw the rows of E anew for every pass; else node v has row v
};

struct TransformerOptions {
  TopologyOptions topology;
  int classes = 2;
  int layers = 4;
  int mask_layers = 2;  ///< the first so many layers attend to neighbours only
  EncoderShape shape;
  double gain = 1;  ///< by which the first weights of queries, keys and outputs are larger
  /// Above 0, layers without a mask start with queries that are random projections of the sum over
  /// neighbours, and keys that are the same projections of the own index, this much larger than
  /// customary: each node first looks at its neighbours. Where the first vectors fit the width.
  double matching = 0;
  bool mean_pool = false;  ///< nodes are averaged, else added up
  bool pool_norm = true;   ///< batch normalisation of the pooled vectors
  double dropout = 0;      ///< of what a layer adds
  Engine engine = Engine::kFused;
};

/// First vectors, a linear map where they are not as wide as the layers, Transformer layers, sum or
/// mean over nodes, batch normalisation, one hidden layer. The normalisation keeps the last layers
/// from learning to ignore their input while there is little to see in it.
std::shared_ptr<Network> make_transformer(const TransformerOptions& options,
                                          Initialiser& initialiser);

struct FcnnOptions {
  TopologyOptions topology;
  int classes = 2;
  int width = 128;         ///< of the hidden layers
  int layers = 2;          ///< hidden ones
  bool core_norm = false;  ///< batch normalisation of the core tensor, or of the sum
  bool by_node = false;    ///< nodes' first vectors instead of the core tensor
  Engine engine = Engine::kFused;
};

/// The core tensor, all topology modes contracted by mode products, flattened into fully connected
/// layers with ReLU. Or, by node, the proposed method without its Transformer: the hidden layers on
/// each node's first vector, the sum over nodes, scores.
std::shared_ptr<Network> make_fcnn(const FcnnOptions& options, Initialiser& initialiser);

/// Row of E for every node of a batch, int. Drawn without repetition; a graph with more nodes than
/// there are rows uses all rows equally often, but for one. A function of (seed, epoch or round,
/// graph, copy); training and evaluation draw from different streams.
torch::Tensor draw_table_rows(const Batch& batch, int rows, const Network::Pass& pass,
                              bool training);

}  // namespace bermuda::nn
