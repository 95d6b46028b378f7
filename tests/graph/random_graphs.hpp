#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/graph/graph.hpp"
#include "bermuda/graph/renumber.hpp"

namespace bermuda::test {

/// Each pair of nodes is an edge with the given probability; labels are 0..count-1, none when the
/// count is 0.
inline Graph random_graph(RandomStream& random, int node_count, double density,
                          int node_label_count = 0, int edge_label_count = 0) {
  std::vector<Edge> edges;
  std::vector<int> node_labels;
  std::vector<int> edge_labels;
  for (int v = 0; v < node_count; ++v) {
    if (node_label_count > 0) node_labels.push_back(random.between(0, node_label_count - 1));
    for (int u = 0; u < v; ++u) {
      if (random.uniform() >= density) continue;
      edges.push_back({u, v});
      if (edge_label_count > 0) edge_labels.push_back(random.between(0, edge_label_count - 1));
    }
  }
  return Graph(node_count, std::move(edges), std::move(node_labels), std::move(edge_labels));
}

inline Graph shuffled(const Graph& graph, RandomStream& random) {
  std::vector<int> number(at(graph.node_count()));
  std::iota(number.begin(), number.end(), 0);
  random.shuffle(std::span(number));
  return renumbered(graph, number);
}

/// The graph of a pattern as GraphletClasses numbers node pairs.
inline Graph pattern_graph(int node_count, unsigned pattern) {
  std::vector<Edge> edges;
  unsigned bit = 0;
  for (int v = 1; v < node_count; ++v) {
    for (int u = 0; u < v; ++u) {
      if ((pattern >> bit++ & 1u) != 0) edges.push_back({u, v});
    }
  }
  return Graph(node_count, std::move(edges));
}

inline Graph cycle(int node_count) {
  std::vector<Edge> edges;
  for (int v = 0; v < node_count; ++v) edges.push_back({v, (v + 1) % node_count});
  return Graph(node_count, std::move(edges));
}

}  // namespace bermuda::test
