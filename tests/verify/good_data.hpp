#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda::test {

/// A path of `node_count` nodes: no triangle.
inline Sample triangle_free(std::string id, int node_count) {
  std::vector<Edge> edges;
  for (int v = 1; v < node_count; ++v) edges.push_back({v - 1, v});
  Sample sample;
  sample.id = std::move(id);
  sample.label = 0;
  sample.graph = Graph(node_count, std::move(edges));
  return sample;
}

/// The same path with the edge 1-3 on top: one triangle 1-2-3.
inline Sample one_triangle(std::string id, int node_count) {
  Sample sample = triangle_free(std::move(id), node_count);
  std::vector<Edge> edges = sample.graph.edges();
  edges.push_back({1, 3});
  sample.graph = Graph(node_count, std::move(edges));
  sample.label = 1;
  sample.witness = {{1, 2, 3}, {{1, 2}, {1, 3}, {2, 3}}};
  return sample;
}

inline void add_clique(std::vector<Edge>& edges, int first, int size) {
  for (int v = first; v < first + size; ++v) {
    for (int u = first; u < v; ++u) edges.push_back({u, v});
  }
}

/// Cliques 0..k-1 and k..2k-1, a path of `distance` edges from node 0 over 2k, 2k+1, ... to node k,
/// and a tail on node 1 that makes graphs of one distance different.
inline Sample two_cliques(std::string id, int distance, int tail, int k = 4, int threshold = 4) {
  std::vector<Edge> edges;
  add_clique(edges, 0, k);
  add_clique(edges, k, k);
  int before = 0;
  for (int step = 1; step < distance; ++step) {
    edges.push_back({before, 2 * k + step - 1});
    before = 2 * k + step - 1;
  }
  edges.push_back({before, k});
  for (Edge& edge : edges) edge = {std::min(edge.u, edge.v), std::max(edge.u, edge.v)};
  std::sort(edges.begin(), edges.end());

  Sample sample;
  sample.id = std::move(id);
  sample.label = distance < threshold ? 0 : 1;
  sample.witness.edges = edges;
  const int proof_nodes = 2 * k + distance - 1;
  for (int v = 0; v < proof_nodes; ++v) sample.witness.nodes.push_back(v);
  for (int i = 0; i < tail; ++i) {
    edges.push_back({i == 0 ? 1 : proof_nodes + i - 1, proof_nodes + i});
  }
  sample.graph = Graph(proof_nodes + tail, std::move(edges));
  return sample;
}

/// Two splits of the triangles task without a fault.
inline DataSet good_triangles() {
  DataSet data;
  data.name = "triangles";
  data.class_names = {"0", "1"};
  data.splits = {{"train", {}}, {"test", {}}};
  for (int i = 0; i < 4; ++i) {
    Split& split = data.splits[i < 2 ? 0 : 1];
    split.samples.push_back(triangle_free("free" + std::to_string(i), 5 + i));
    split.samples.push_back(one_triangle("one" + std::to_string(i), 5 + i));
  }
  data.provenance["task"] = "triangles";
  return data;
}

/// Two splits of the clique-distance task without a fault.
inline DataSet good_cliques(int k = 4, int threshold = 4) {
  DataSet data;
  data.name = "cliques";
  data.class_names = {"0", "1"};
  data.splits = {{"train", {}}, {"test", {}}};
  for (int i = 0; i < 4; ++i) {
    Split& split = data.splits[i < 2 ? 0 : 1];
    const std::string number = std::to_string(i);
    split.samples.push_back(two_cliques("near" + number, threshold - 1, i, k, threshold));
    split.samples.push_back(two_cliques("far" + number, threshold, i, k, threshold));
  }
  data.provenance["task"] = "clique-distance";
  data.provenance["parameters"] = {{"clique_size", k}, {"threshold", threshold}};
  return data;
}

}  // namespace bermuda::test
