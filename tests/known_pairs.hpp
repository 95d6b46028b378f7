#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "bermuda/dataset/graph_pairs.hpp"

namespace bermuda::test {

/// Node v is joined with v + s for each step s, around a circle.
inline Graph circulant(int nodes, const std::vector<int>& steps) {
  std::vector<Edge> edges;
  for (int v = 0; v < nodes; ++v) {
    for (const int step : steps) {
      const int other = (v + step) % nodes;
      edges.push_back({std::min(v, other), std::max(v, other)});
    }
  }
  return Graph(nodes, edges);
}

inline Graph two_triangles() { return Graph(6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}); }
inline Graph hexagon() { return circulant(6, {1}); }

/// Nodes (x, y) of a 4 x 4 torus, joined where their difference is one of these or its opposite.
inline Graph torus(const std::vector<std::pair<int, int>>& steps) {
  std::vector<Edge> edges;
  for (int v = 0; v < 16; ++v) {
    for (const auto& [dx, dy] : steps) {
      const int other = (v / 4 + dx) % 4 * 4 + (v + dy) % 4;
      if (v < other) edges.push_back({v, other});
      if (other < v) edges.push_back({other, v});
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::pair(edge.u, edge.v); });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return Graph(16, edges);
}

/// Both strongly regular (16, 6, 2, 2): no method of 2-FWL (3-WL) power tells them apart.
inline Graph rook() { return torus({{0, 1}, {0, 2}, {1, 0}, {2, 0}}); }
inline Graph shrikhande() { return torus({{0, 1}, {1, 0}, {1, 1}}); }

/// Circulant skip links of Murphy et al. (2019).
inline Graph csl(int skip) { return circulant(41, {1, skip}); }

/// Holds the graphs of some pairs.
class KnownPairs {
 public:
  explicit KnownPairs(std::vector<std::pair<Graph, Graph>> graphs) {
    data_.provenance["pairs"] = nlohmann::ordered_json::object();
    data_.splits.push_back({"all", {}});
    for (auto& [first, second] : graphs) {
      add(std::move(first), "-a");
      add(std::move(second), "-b");
    }
  }
  GraphPairs pairs() const { return pairs_of(data_); }
  const DataSet& data() const { return data_; }

 private:
  void add(Graph graph, const char* ending) {
    Sample sample;
    sample.id = std::to_string(data_.splits[0].samples.size() / 2) + ending;
    sample.graph = std::move(graph);
    data_.splits[0].samples.push_back(std::move(sample));
  }

  DataSet data_;
};

}  // namespace bermuda::test
