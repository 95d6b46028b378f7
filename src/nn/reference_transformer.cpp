#include <torch/torch.h>

#include <cmath>

#include "reference.hpp"

namespace bermuda::nn {
namespace {

using reference::index_tensor;

/// The weights of a layer, as views.
struct Views {
  Views(const torch::Tensor& weights, const EncoderShape& shape) {
    const EncoderLayout layout(shape);
    const auto matrix = [&](std::size_t offset, std::int64_t rows, std::int64_t columns) {
      return weights.narrow(0, static_cast<std::int64_t>(offset), rows * columns)
          .view({rows, columns});
    };
    const auto vector = [&](std::size_t offset, std::int64_t count) {
      return weights.narrow(0, static_cast<std::int64_t>(offset), count);
    };
    const std::int64_t width = shape.width;
    qkv = matrix(layout.qkv, 3 * width, width);
    qkv_bias = vector(layout.qkv_bias, 3 * width);
    out = matrix(layout.out, width, width);
    out_bias = vector(layout.out_bias, width);
    norm1 = vector(layout.norm1, width);
    norm1_bias = vector(layout.norm1_bias, width);
    expand = matrix(layout.expand, shape.hidden, width);
    expand_bias = vector(layout.expand_bias, shape.hidden);
    contract = matrix(layout.contract, width, shape.hidden);
    contract_bias = vector(layout.contract_bias, width);
    norm2 = vector(layout.norm2, width);
    norm2_bias = vector(layout.norm2_bias, width);
  }
  torch::Tensor qkv, qkv_bias, out, out_bias, norm1, norm1_bias;
  torch::Tensor expand, expand_bias, contract, contract_bias, norm2, norm2_bias;
};

/// Minus infinity where a node of the graph does not attend to another; [nodes, nodes].
torch::Tensor mask_of(const Batch& batch, int graph, const torch::Tensor& like) {
  const Relation& relation = *batch.levels.back().neighbours;
  const int begin = batch.graph_offsets[static_cast<std::size_t>(graph)];
  const int end = batch.graph_offsets[static_cast<std::size_t>(graph) + 1];
  std::vector<int> places;
  for (int row = begin; row < end; ++row) {
    places.push_back((row - begin) * (end - begin) + row - begin);
    for (int e = relation.offsets[static_cast<std::size_t>(row)];
         e < relation.offsets[static_cast<std::size_t>(row) + 1]; ++e) {
      places.push_back((row - begin) * (end - begin) +
                       relation.sources[static_cast<std::size_t>(e)] - begin);
    }
  }
  torch::Tensor mask = torch::full({static_cast<std::int64_t>(end - begin) * (end - begin)},
                                   -std::numeric_limits<double>::infinity(), like.options());
  return mask.index_fill(0, index_tensor(places, like), 0).view({end - begin, end - begin});
}

/// A graph's rows of queries, keys or values as [heads, nodes, numbers].
torch::Tensor by_head(const torch::Tensor& x, int heads) {
  return x.view({x.size(0), x.size(1) / heads, heads}).permute({2, 0, 1});
}

/// Calls body(rows, attention [heads, nodes, nodes], values [heads, nodes, numbers]) per graph.
template <class Body>
void for_graphs(const torch::Tensor& qkv, const EncoderShape& shape, const Batch& batch,
                bool masked, const Body& body) {
  const double scale = 1 / std::sqrt(static_cast<double>(shape.width / shape.heads));
  for (int graph = 0; graph < batch.graphs; ++graph) {
    const int begin = batch.graph_offsets[static_cast<std::size_t>(graph)];
    const int size = batch.graph_offsets[static_cast<std::size_t>(graph) + 1] - begin;
    const auto parts = qkv.narrow(0, begin, size).chunk(3, 1);
    torch::Tensor scores =
        torch::matmul(by_head(parts[0].contiguous(), shape.heads),
                      by_head(parts[1].contiguous(), shape.heads).transpose(1, 2)) *
        scale;
    if (masked) scores = scores + mask_of(batch, graph, qkv);
    body(torch::softmax(scores, 2), by_head(parts[2].contiguous(), shape.heads));
  }
}

torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias) {
  return torch::layer_norm(x, {x.size(1)}, weight, bias);
}

torch::Tensor queries_of(const torch::Tensor& x, const Views& w, const EncoderShape& shape) {
  const torch::Tensor asked = shape.norm_first ? layer_norm(x, w.norm1, w.norm1_bias) : x;
  return torch::addmm(w.qkv_bias, asked, w.qkv.t());
}

}  // namespace

namespace reference {

torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch) {
  const TopologyLayout layout(shape);
  const auto table = [&](std::size_t offset, std::int64_t rows, std::int64_t width) {
    return tables.narrow(0, static_cast<std::int64_t>(offset), rows * width).view({rows, width});
  };
  // Rows of a table; a number below zero takes a row of zeros behind the last.
  const auto rows_of = [&](const torch::Tensor& from, const torch::Tensor& numbers) {
    const torch::Tensor padded =
        torch::cat({from, torch::zeros({1, from.size(1)}, from.options())});
    return padded.index_select(0, torch::where(numbers < 0, from.size(0), numbers));
  };
  const Relation& relation = *batch.levels.back().neighbours;
  const torch::Tensor rows = table_rows.to(torch::kInt64).to(tables.device());
  const torch::Tensor from = index_tensor(relation.sources, tables);
  const torch::Tensor indices = rows_of(table(0, shape.indices, shape.width), rows);
  const torch::Tensor node_labels = index_tensor(batch.node_labels.all(), tables);
  std::vector<torch::Tensor> coefficients{torch::ones({from.size(0), 1}, tables.options())};
  if (shape.edge_width > 0) {
    coefficients.push_back(rows_of(table(layout.edge, shape.edge_labels, shape.edge_width),
                                   index_tensor(batch.edge_labels.all(), tables)));
  }
  if (shape.node_width > 0) {
    coefficients.push_back(rows_of(table(layout.neighbour, shape.node_labels, shape.node_width),
                                   node_labels.index_select(0, from)));
  }
  const torch::Tensor entries =
      torch::cat(coefficients, 1).unsqueeze(2) * indices.index_select(0, from).unsqueeze(1);
  std::vector<torch::Tensor> parts{
      torch::zeros({batch.nodes, shape.coefficients() * shape.width}, tables.options())
          .index_add(0, targets_of(relation, tables), entries.flatten(1))};
  if (shape.node_width > 0) {
    parts.push_back(rows_of(table(layout.own, shape.node_labels, shape.node_width), node_labels));
  }
  parts.push_back(indices);
  return torch::cat(parts, 1);
}

torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked) {
  const Views w(weights, shape);
  std::vector<torch::Tensor> heard;
  for_graphs(queries_of(x, w, shape), shape, batch, masked,
             [&](const torch::Tensor& attention, const torch::Tensor& values) {
               heard.push_back(torch::matmul(attention, values)
                                   .permute({1, 2, 0})
                                   .reshape({values.size(1), shape.width}));
             });
  torch::Tensor h = x;
  if (!heard.empty()) h = h + torch::addmm(w.out_bias, torch::cat(heard), w.out.t());
  if (!shape.norm_first) h = layer_norm(h, w.norm1, w.norm1_bias);
  const torch::Tensor fed = shape.norm_first ? layer_norm(h, w.norm2, w.norm2_bias) : h;
  const torch::Tensor hidden = torch::relu(torch::addmm(w.expand_bias, fed, w.expand.t()));
  const torch::Tensor y = h + torch::addmm(w.contract_bias, hidden, w.contract.t());
  return shape.norm_first ? y : layer_norm(y, w.norm2, w.norm2_bias);
}

}  // namespace reference

std::vector<torch::Tensor> attention_maps(const torch::Tensor& x, const torch::Tensor& weights,
                                          const EncoderShape& shape, const Batch& batch,
                                          bool masked) {
  std::vector<torch::Tensor> maps;
  for_graphs(
      queries_of(x, Views(weights, shape), shape), shape, batch, masked,
      [&](const torch::Tensor& attention, const torch::Tensor&) { maps.push_back(attention); });
  return maps;
}

}  // namespace bermuda::nn
