#pragma once

#include <numeric>
#include <vector>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/nn/batch.hpp"

namespace bermuda::nn {

/// Small graphs of every awkward kind: empty, one node, isolated nodes, symmetric ones, twins, and
/// some random ones. Labels from 0..2 where asked for.
inline std::vector<Sample> awkward_graphs(bool labelled) {
  std::vector<Graph> graphs = {
      Graph(0, {}),
      Graph(1, {}),
      Graph(3, {{0, 1}, {0, 2}, {1, 2}}),
      Graph(4, {{0, 1}, {2, 3}}),
      Graph(5, {{0, 1}, {0, 2}, {0, 3}}),
      Graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}),
      Graph(5, {{4, 3}, {3, 2}, {2, 1}, {1, 0}}),
      Graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}),
  };
  for (int i = 0; i < 6; ++i) {
    RandomStream random(5, Purpose::kTest, static_cast<std::uint64_t>(i));
    const int n = random.between(4, 12);
    std::vector<Edge> edges;
    for (int u = 0; u < n; ++u) {
      for (int v = u + 1; v < n; ++v) {
        if (random.below(3) == 0) edges.push_back({u, v});
      }
    }
    graphs.emplace_back(n, edges);
  }
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    Sample sample;
    std::vector<int> labels;
    if (labelled) {
      for (int v = 0; v < graphs[i].node_count(); ++v) labels.push_back(v % 3);
    }
    sample.graph = Graph(graphs[i].node_count(), graphs[i].edges(), labels);
    sample.label = static_cast<int>(i % 2);
    samples.push_back(sample);
  }
  return samples;
}

/// The same graphs, edges labelled from 0..2.
inline std::vector<Sample> with_edge_labels(std::vector<Sample> samples) {
  for (Sample& sample : samples) {
    std::vector<int> labels;
    for (const Edge& edge : sample.graph.edges()) labels.push_back((edge.u + 2 * edge.v) % 3);
    sample.graph =
        Graph(sample.graph.node_count(), sample.graph.edges(), sample.graph.node_labels(), labels);
  }
  return samples;
}

/// A random graph; every tenth node is isolated.
inline Sample large_graph(int nodes) {
  RandomStream random(6, Purpose::kTest);
  std::vector<Edge> edges;
  for (int u = 0; u < nodes; ++u) {
    for (int v = u + 1; v < nodes; ++v) {
      if (u % 10 != 9 && v % 10 != 9 && random.below(20) == 0) edges.push_back({u, v});
    }
  }
  Sample sample;
  sample.graph = Graph(nodes, edges);
  return sample;
}

inline PackedGraphs pack(const std::vector<Sample>& samples, const FeatureSpec& spec) {
  std::vector<const Sample*> pointers;
  for (const Sample& sample : samples) pointers.push_back(&sample);
  return PackedGraphs(pointers, spec);
}

inline std::vector<int> all_of(const PackedGraphs& graphs) {
  std::vector<int> all(static_cast<std::size_t>(graphs.graph_count()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Some of the graphs, or all, as networks over whole graphs see them.
inline Batch whole_graphs(const std::vector<Sample>& samples, const FeatureSpec& spec,
                          const std::vector<int>& chosen = {}) {
  const PackedGraphs graphs = pack(samples, spec);
  BatchMaker maker(
      graphs, spec,
      {.layers = 1, .aggregation = Aggregation::kSum, .mean_pool = false, .whole_graphs = true},
      false);
  return maker.make(chosen.empty() ? all_of(graphs) : chosen);
}

}  // namespace bermuda::nn
