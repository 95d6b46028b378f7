#include "bermuda/nn/packed_graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bermuda/core/error.hpp"

namespace bermuda::nn {
namespace {

/// Where a label is among the known ones, ascending; -1: nowhere.
int place_of(int label, const std::vector<int>& known) {
  const auto found = std::ranges::lower_bound(known, label);
  return found != known.end() && *found == label ? static_cast<int>(found - known.begin()) : -1;
}

std::uint64_t key_of(const Graph& graph) {
  std::uint64_t key = 0x9E3779B97F4A7C15u;
  const auto mix = [&](int number) {
    key = (key ^ static_cast<std::uint32_t>(number)) * 0xFF51AFD7ED558CCDu;
    key ^= key >> 32;
  };
  mix(graph.node_count());
  for (const Edge& edge : graph.edges()) {
    mix(edge.u);
    mix(edge.v);
  }
  return key;
}

}  // namespace

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
      const auto labels = sample->graph.has_node_labels() ? std::span(sample->graph.node_labels())
                                                          : std::span<const int>();
      if (!spec.node_labels.empty()) {
        node_labels.push_back(
            labels.empty() ? -1 : place_of(labels[static_cast<std::size_t>(v)], spec.node_labels));
      }
      if (spec.edge_labels.empty()) continue;
      for (const int edge : adjacency.edges_of(v)) {
        edge_labels.push_back(
            sample->graph.has_edge_labels()
                ? place_of(sample->graph.edge_labels()[static_cast<std::size_t>(edge)],
                           spec.edge_labels)
                : -1);
      }
    }
    node_offsets.push_back(first + sample->graph.node_count());
    classes.push_back(sample->label);
    keys.push_back(key_of(sample->graph));
  }
}

}  // namespace bermuda::nn
