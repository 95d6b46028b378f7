#include "topology.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <numeric>

namespace bermuda::nn {
namespace {

TopologyShape shape_of(const TopologyOptions& options) {
  TopologyShape shape;
  shape.indices = options.features.indices;
  shape.width = options.width;
  shape.node_labels = static_cast<int>(options.features.node_labels.size());
  shape.node_width = shape.node_labels > 0 ? options.node_width : 0;
  shape.edge_labels = static_cast<int>(options.features.edge_labels.size());
  shape.edge_width = shape.edge_labels > 0 ? options.edge_width : 0;
  return shape;
}

}  // namespace

Topology::Topology(const TopologyOptions& options, Engine engine, Initialiser& initialiser)
    : shuffle_(options.shuffle), engine_(engine), shape_(shape_of(options)) {
  torch::Tensor scale = torch::full({1, shape_.width}, options.scale);
  torch::Tensor shift = torch::full({1, shape_.width}, options.shift);
  scale.narrow(1, 0, options.alike).fill_(kAlikeScale);
  shift.narrow(1, 0, options.alike).fill_(kAlikeShift);
  const torch::Tensor indices = initialiser.normal({shape_.indices, shape_.width}, 1) * scale +
                                initialiser.normal({1, shape_.width}, 1) * shift;
  const torch::Tensor edges = initialiser.normal({shape_.edge_labels, shape_.edge_width}, 1);
  const torch::Tensor neighbours = initialiser.normal({shape_.node_labels, shape_.node_width}, 1);
  const torch::Tensor own = initialiser.normal({shape_.node_labels, shape_.node_width}, 1);
  tables_ = register_parameter("tables", torch::cat({indices.flatten(), edges.flatten(),
                                                     neighbours.flatten(), own.flatten()}));
}

torch::Tensor Topology::forward(const Batch& batch, const Network::Pass& pass) const {
  // Without a table, in a network that was trained on empty graphs only, batches have no indices.
  const bool draw = shuffle_ || shape_.indices == 0;
  const torch::Tensor rows = draw ? draw_table_rows(batch, shape_.indices, pass, is_training())
                                  : torch::tensor(batch.indices, torch::kInt);
  return embed_topology(tables_, shape_, rows, batch, engine_);
}

torch::Tensor draw_table_rows(const Batch& batch, int rows, const Network::Pass& pass,
                              bool training) {
  if (rows == 0) return torch::full({batch.nodes}, -1, torch::kInt);
  // One number for the epoch and the copy of a graph within a batch.
  constexpr std::uint32_t kMostCopies = 64;
  constexpr std::uint32_t kMostRounds = 16384;
  torch::Tensor drawn = torch::empty({batch.nodes}, torch::kInt);
  int* next = drawn.data_ptr<int>();
  std::vector<int> order(static_cast<std::size_t>(rows));
  for (std::size_t graph = 0; graph < batch.keys.size(); ++graph) {
    RandomStream stream(pass.seed,
                        training ? Purpose::kTrainingIndices : Purpose::kEvaluationIndices,
                        batch.keys[graph],
                        training ? pass.epoch * kMostCopies + batch.copies[graph] % kMostCopies
                                 : pass.epoch * kMostRounds + pass.round % kMostRounds);
    int left = batch.graph_offsets[graph + 1] - batch.graph_offsets[graph];
    while (left > 0) {
      std::iota(order.begin(), order.end(), 0);
      const int count = std::min(left, rows);
      for (int i = 0; i < count; ++i) {
        const int other = stream.between(i, rows - 1);
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
        *next++ = order[static_cast<std::size_t>(i)];
      }
      left -= count;
    }
  }
  return drawn;
}

}  // namespace bermuda::nn
