#include "bermuda/dataset/controls.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bermuda/core/random.hpp"
#include "bermuda/graph/canonical.hpp"

namespace bermuda {
namespace {

/// Paths with labels on nodes and edges, an attribute per node and a witness: its first two edges.
Split paths(const std::string& name, int count) {
  Split split{name, {}};
  for (int i = 0; i < count; ++i) {
    const int nodes = 4 + i % 5;
    std::vector<Edge> edges;
    std::vector<int> node_labels;
    std::vector<int> edge_labels;
    std::vector<double> attributes;
    for (int v = 0; v < nodes; ++v) {
      node_labels.push_back(v);
      attributes.push_back(10 * v);
      if (v == 0) continue;
      edges.push_back({v - 1, v});
      edge_labels.push_back(v);
    }
    Sample sample;
    sample.id = name + std::to_string(i);
    sample.label = i % 3 == 0 ? 1 : 0;
    sample.graph = Graph(nodes, edges, node_labels, edge_labels);
    sample.graph.set_attributes(1, attributes);
    sample.witness = {{0, 1, 2}, {{0, 1}, {1, 2}}};
    split.samples.push_back(std::move(sample));
  }
  return split;
}

DataSet some_paths(bool with_test) {
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits.push_back(paths(with_test ? "train" : "all", 60));
  if (with_test) data.splits.push_back(paths("test", 30));
  return data;
}

TEST(Controls, ShuffledNodesAreTheSameGraphWithItsWitness) {
  const DataSet before = some_paths(true);
  DataSet after = before;
  shuffle_nodes(after, 1);
  int moved = 0;
  for (std::size_t s = 0; s < before.splits.size(); ++s) {
    for (std::size_t i = 0; i < before.splits[s].samples.size(); ++i) {
      const Sample& old_one = before.splits[s].samples[i];
      const Sample& new_one = after.splits[s].samples[i];
      EXPECT_EQ(new_one.id, old_one.id);
      EXPECT_EQ(new_one.label, old_one.label);
      EXPECT_EQ(canonical_form(new_one.graph), canonical_form(old_one.graph));
      moved += new_one.graph == old_one.graph ? 0 : 1;
      // Node labels tell which node is which.
      std::vector<int> labels;
      for (const int node : new_one.witness.nodes) {
        labels.push_back(new_one.graph.node_labels()[static_cast<std::size_t>(node)]);
        EXPECT_EQ(new_one.graph.attributes()[static_cast<std::size_t>(node)], 10 * labels.back());
      }
      EXPECT_TRUE(std::ranges::is_sorted(new_one.witness.nodes));
      std::ranges::sort(labels);
      EXPECT_EQ(labels, (std::vector<int>{0, 1, 2}));
      ASSERT_EQ(new_one.witness.edges.size(), 2U);
      EXPECT_TRUE(std::ranges::is_sorted(new_one.witness.edges));
      for (const Edge& edge : new_one.witness.edges) {
        EXPECT_LT(edge.u, edge.v);
        EXPECT_TRUE(new_one.graph.has_edge(edge.u, edge.v));
      }
    }
  }
  EXPECT_GT(moved, 80);
  DataSet again = before;
  shuffle_nodes(again, 1);
  EXPECT_EQ(again.splits, after.splits);
  shuffle_nodes(again = before, 2);
  EXPECT_NE(again.splits, after.splits);
}

TEST(Controls, PermutedClassesAreTheTrainingSplitsAlone) {
  const DataSet before = some_paths(true);
  DataSet after = before;
  permute_classes(after, 1);
  EXPECT_EQ(after.splits[1], before.splits[1]);
  EXPECT_EQ(after.class_counts(after.splits[0]), before.class_counts(before.splits[0]));
  int changed = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const Sample& sample = after.splits[0].samples[i];
    EXPECT_EQ(sample.graph, before.splits[0].samples[i].graph);
    EXPECT_TRUE(sample.witness.empty());
    changed += sample.label == before.splits[0].samples[i].label ? 0 : 1;
  }
  EXPECT_GT(changed, 10);
  DataSet pooled = some_paths(false);
  const DataSet pooled_before = pooled;
  permute_classes(pooled, 1);
  EXPECT_EQ(pooled.class_counts(pooled.splits[0]),
            pooled_before.class_counts(pooled_before.splits[0]));
  EXPECT_NE(pooled.splits, pooled_before.splits);
}

}  // namespace
}  // namespace bermuda
