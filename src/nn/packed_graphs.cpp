#include "bermuda/nn/packed_graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bermuda/core/error.hpp"

namespace bermuda::nn {

PackedGraphs::PackedGraphs(Samples samples, const FeatureSpec& spec) {
  std::size_t nodes = 0;
  std::size_t ends = 0;
  for (const Sample* sample : samples) {
    nodes += static_cast<std::size_t>(sample->graph.node_count());
    ends += 2 * static_cast<std::size_t>(sample->graph.edge_count());
  }
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (nodes >= kMost || ends >= kMost) {
    throw UsageError(fmt::format("{} nodes with {} neighbours in all, expected fewer than {}",
                                 nodes, ends, kMost));
  }
  node_offsets.reserve(samples.size() + 1);
  neighbour_offsets.reserve(nodes + 1);
  neighbours.reserve(ends);
  classes.reserve(samples.size());
  for (const Sample* sample : samples) {
    const int first = node_offsets.back();
    const Adjacency adjacency(sample->graph);
    for (int v = 0; v < sample->graph.node_count(); ++v) {
      for (const int u : adjacency.of(v)) neighbours.push_back(first + u);
      neighbour_offsets.push_back(static_cast<int>(neighbours.size()));
      if (spec.node_labels.empty()) continue;
      const auto known = std::span(spec.node_labels);
      int place = -1;
      if (sample->graph.has_node_labels()) {
        const int label = sample->graph.node_labels()[static_cast<std::size_t>(v)];
        const auto found = std::ranges::lower_bound(known, label);
        if (found != known.end() && *found == label)
          place = static_cast<int>(found - known.begin());
      }
      node_labels.push_back(place);
    }
    node_offsets.push_back(first + sample->graph.node_count());
    classes.push_back(sample->label);
  }
}

}  // namespace bermuda::nn
