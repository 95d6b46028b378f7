#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda::fuzz {

/// Hands out an input byte by byte; zeros behind its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* bytes, std::size_t size) : next_(bytes), end_(bytes + size) {}
  int below(int limit) { return next_ == end_ ? 0 : *next_++ % limit; }
  bool flag() { return below(2) == 1; }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

/// Up to 8 nodes, with labels of nodes and edges where asked for.
inline Graph small_graph(Bytes& bytes, bool node_labels, bool edge_labels) {
  const int nodes = bytes.below(9);
  std::vector<Edge> edges;
  std::vector<int> of_nodes;
  std::vector<int> of_edges;
  for (int v = 1; v < nodes; ++v) {
    const int row = bytes.below(256);
    for (int u = 0; u < v; ++u) {
      if ((row >> u & 1) == 0) continue;
      edges.push_back({u, v});
      if (edge_labels) of_edges.push_back(bytes.below(4) - 1);
    }
  }
  for (int v = 0; node_labels && v < nodes; ++v) of_nodes.push_back(bytes.below(5) - 2);
  return Graph(nodes, std::move(edges), std::move(of_nodes), std::move(of_edges));
}

/// 2 to 12 graphs in 2 or 3 classes, repeated until a class has as many as there are folds; with
/// the splits train and test, or without.
inline DataSet small_data(Bytes& bytes) {
  const int classes = 2 + bytes.below(2);
  const int count = 2 + bytes.below(11);
  const bool node_labels = bytes.flag();
  const bool edge_labels = bytes.flag();
  const bool splits = bytes.flag();
  std::vector<Graph> graphs;
  for (int i = 0; i < count; ++i) {
    graphs.push_back(small_graph(bytes, node_labels && !bytes.flag(), edge_labels));
  }
  DataSet data;
  data.name = "small";
  for (int c = 0; c < classes; ++c) data.class_names.push_back(std::to_string(c));
  Split all{splits ? "train" : "all", {}};
  for (int i = 0; i < classes * kEvaluationFolds; ++i) {
    Sample& sample = all.samples.emplace_back();
    sample.id = std::to_string(i);
    sample.label = i % classes;
    sample.graph = graphs[static_cast<std::size_t>(i % count)];
  }
  data.splits.push_back(all);
  if (splits) {
    all.name = "test";
    all.samples.resize(static_cast<std::size_t>(bytes.below(12)));
    data.splits.push_back(std::move(all));
  }
  return data;
}

}  // namespace bermuda::fuzz
