#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda::test {

// Data sets for the audit whose answer is known.

inline DataSet data_set(std::vector<Sample> samples, int classes = 2) {
  DataSet data;
  data.name = "hand-made";
  for (int label = 0; label < classes; ++label) data.class_names.push_back(std::to_string(label));
  data.splits.push_back({"all", std::move(samples)});
  return data;
}

inline Sample sample(int label, Graph graph) {
  Sample result;
  result.id = "g";
  result.label = label;
  result.graph = std::move(graph);
  return result;
}

inline std::vector<Edge> cycle_edges(int first, int length) {
  std::vector<Edge> edges;
  for (int i = 0; i < length; ++i) edges.push_back({first + i, first + (i + 1) % length});
  return edges;
}

inline Graph path(int nodes) {
  std::vector<Edge> edges;
  for (int v = 1; v < nodes; ++v) edges.push_back({v - 1, v});
  return Graph(nodes, std::move(edges));
}

inline Graph star(int nodes, int centre) {
  std::vector<Edge> edges;
  for (int v = 0; v < nodes; ++v) {
    if (v != centre) edges.push_back({v, centre});
  }
  return Graph(nodes, std::move(edges));
}

inline Graph random_graph(int nodes, double density, RandomStream& random) {
  std::vector<Edge> edges;
  for (int v = 1; v < nodes; ++v) {
    for (int u = 0; u < v; ++u) {
      if (random.uniform() < density) edges.push_back({u, v});
    }
  }
  return Graph(nodes, std::move(edges));
}

/// Random graphs of 6 to 8, 9 to 11, ... nodes: the class is the range.
inline DataSet sizes_decide(int classes, int of_each) {
  std::vector<Sample> samples;
  for (int i = 0; i < classes * of_each; ++i) {
    RandomStream random(1, Purpose::kTest, static_cast<std::uint64_t>(i));
    const int nodes = 6 + 3 * (i % classes) + random.between(0, 2);
    samples.push_back(sample(i % classes, random_graph(nodes, 0.4, random)));
  }
  return data_set(std::move(samples), classes);
}

/// A path or a star of the same size.
inline DataSet degrees_decide(int of_each) {
  std::vector<Sample> samples;
  for (int i = 0; i < of_each; ++i) {
    const int nodes = 6 + i % 8;
    samples.push_back(sample(0, path(nodes)));
    samples.push_back(sample(1, star(nodes, i % nodes)));
  }
  return data_set(std::move(samples));
}

/// One cycle, or a triangle and a cycle of the rest: all degrees are 2, WL sees nothing.
inline DataSet triangles_decide(int of_each) {
  std::vector<Sample> samples;
  for (int i = 0; i < of_each; ++i) {
    const int nodes = 8 + i % 8;
    samples.push_back(sample(0, Graph(nodes, cycle_edges(0, nodes))));
    std::vector<Edge> edges = cycle_edges(0, 3);
    for (const Edge& edge : cycle_edges(3, nodes - 3)) edges.push_back(edge);
    samples.push_back(sample(1, Graph(nodes, std::move(edges))));
  }
  return data_set(std::move(samples));
}

/// Stars whose centre is listed first or last.
inline DataSet order_decides(int of_each) {
  std::vector<Sample> samples;
  for (int i = 0; i < of_each; ++i) {
    const int nodes = 6 + i % 8;
    samples.push_back(sample(0, star(nodes, 0)));
    samples.push_back(sample(1, star(nodes, nodes - 1)));
  }
  return data_set(std::move(samples));
}

inline DataSet nothing_decides(int graphs) {
  std::vector<Sample> samples;
  for (int i = 0; i < graphs; ++i) {
    RandomStream random(2, Purpose::kTest, static_cast<std::uint64_t>(i));
    samples.push_back(sample(i % 2, random_graph(random.between(8, 14), 0.3, random)));
  }
  return data_set(std::move(samples));
}

}  // namespace bermuda::test
