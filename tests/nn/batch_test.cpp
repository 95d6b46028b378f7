#include "bermuda/nn/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/wl.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PackedGraphs, LaysGraphsEndToEnd) {
  const std::vector<Sample> samples = awkward_graphs(true);
  FeatureSpec spec;
  spec.node_labels = {0, 2};
  const PackedGraphs graphs = pack(samples, spec);
  ASSERT_EQ(graphs.graph_count(), static_cast<int>(samples.size()));
  for (int g = 0; g < graphs.graph_count(); ++g) {
    const Graph& graph = samples[at(g)].graph;
    const int first = graphs.node_offsets[at(g)];
    const Adjacency adjacency(graph);
    for (int v = 0; v < graph.node_count(); ++v) {
      std::vector<int> shifted;
      for (const int u : adjacency.of(v)) shifted.push_back(first + u);
      EXPECT_THAT(graphs.neighbours_of(first + v), testing::ElementsAreArray(shifted));
      const int place = v % 3 == 0 ? 0 : v % 3 == 2 ? 1 : -1;
      EXPECT_EQ(graphs.node_labels[at(first + v)], place);
    }
  }
}

// Two partitions are the same when the pairs of names match one to one.
bool same_partition(const std::vector<int>& a, const std::vector<int>& b) {
  std::map<int, int> forth;
  std::map<int, int> back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (forth.emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

TEST(NodeColours, SumAggregationIsWeisfeilerLeman) {
  const std::vector<Sample> samples = awkward_graphs(true);
  FeatureSpec spec;
  spec.node_labels = {0, 1, 2};
  const PackedGraphs graphs = pack(samples, spec);
  const NodeColours colours(graphs, spec, Aggregation::kSum, 4);
  WlColouring wl({.rounds = 4});
  std::vector<std::vector<int>> expected(5);
  for (const Sample& sample : samples) {
    const auto rounds = wl.learn(sample.graph);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      expected[r].insert(expected[r].end(), rounds[r].begin(), rounds[r].end());
    }
  }
  for (std::size_t r = 0; r < expected.size(); ++r) {
    EXPECT_TRUE(same_partition(colours.of_round[r], expected[r])) << "round " << r;
  }
}

TEST(NodeColours, MeansOfEqualsAreEqual) {
  // Every node of these has a neighbour: with uniform features a mean can tell none apart.
  std::vector<Sample> samples(2);
  samples[0].graph = Graph(5, {{0, 1}, {0, 2}, {0, 3}, {3, 4}});
  samples[1].graph = Graph(3, {{0, 1}, {1, 2}, {0, 2}});
  const PackedGraphs graphs = pack(samples, {});
  EXPECT_THAT(NodeColours(graphs, {}, Aggregation::kMean, 6).count, Each(1));
  EXPECT_THAT(NodeColours(graphs, {}, Aggregation::kAttention, 6).count, Each(1));
  EXPECT_GT(NodeColours(graphs, {}, Aggregation::kSum, 6).count.back(), 3);
  // A node without neighbours hears nothing, which is not the same.
  samples[1].graph = Graph(4, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_THAT(NodeColours(pack(samples, {}), {}, Aggregation::kMean, 2).count,
              ElementsAre(1, 2, 2));
}

TEST(Relation, WayBackIsTheTransposed) {
  Relation relation;
  relation.offsets = {0, 2, 2, 5};
  relation.sources = {1, 0, 1, 1, 3};
  relation.weights = {1, 2, 3, 4, 5};
  relation.complete(4);
  EXPECT_THAT(relation.back_offsets, ElementsAre(0, 1, 4, 4, 5));
  EXPECT_THAT(relation.back_targets, ElementsAre(0, 0, 2, 2, 2));
  EXPECT_THAT(relation.back_entries, ElementsAre(1, 0, 2, 3, 4));
  EXPECT_THAT(relation.back_weights, ElementsAre(2, 1, 3, 4, 5));
}

TEST(BatchMaker, WithoutCompressionEveryNodeIsARow) {
  const std::vector<Sample> samples = awkward_graphs(false);
  FeatureSpec spec;
  spec.degree = true;
  const PackedGraphs graphs = pack(samples, spec);
  BatchMaker maker(graphs, spec, {.layers = 2}, false);
  const Batch batch = maker.make(std::vector<int>{4, 2});
  EXPECT_EQ(batch.nodes, 8);
  ASSERT_EQ(batch.levels.size(), 3u);
  for (const Level& level : batch.levels) {
    EXPECT_EQ(level.rows, 8);
    EXPECT_THAT(level.multiplicity, IsEmpty());
    EXPECT_EQ(level.own, nullptr);
  }
  EXPECT_EQ(batch.levels[1].neighbours, batch.levels[2].neighbours);
  EXPECT_EQ(batch.levels[1].pool, nullptr);
  EXPECT_THAT(batch.features.all(), ElementsAre(1, 3, 1, 1, 1, 1, 1, 1, 1, 0, 1, 2, 1, 2, 1, 2));
  EXPECT_THAT(batch.levels[1].neighbours->sources, ElementsAre(1, 2, 3, 0, 0, 0, 6, 7, 5, 7, 5, 6));
}

TEST(BatchMaker, CompressedRowsStandForAllNodes) {
  const std::vector<Sample> samples = awkward_graphs(false);
  for (const Aggregation aggregation :
       {Aggregation::kMean, Aggregation::kSum, Aggregation::kSymmetric, Aggregation::kAttention}) {
    FeatureSpec spec;
    spec.degree = true;
    const PackedGraphs graphs = pack(samples, spec);
    BatchMaker maker(graphs, spec, {.layers = 4, .aggregation = aggregation}, true);
    const Batch batch = maker.make(all_of(graphs));
    int above = 0;
    for (const Level& level : batch.levels) {
      EXPECT_GE(level.rows, above) << "refinement only splits";
      EXPECT_LE(level.rows, batch.nodes);
      above = level.rows;
      if (level.multiplicity.empty()) continue;
      EXPECT_EQ(std::accumulate(level.multiplicity.begin(), level.multiplicity.end(), 0.0F),
                static_cast<float>(batch.nodes));
    }
    EXPECT_LT(batch.levels[0].rows, 10);
  }
}

TEST(BatchMaker, NodeIndicesForbidCompression) {
  FeatureSpec spec;
  spec.indices = 5;
  const PackedGraphs graphs = pack(awkward_graphs(false), spec);
  BatchMaker maker(graphs, spec, {.layers = 1}, true);
  EXPECT_FALSE(maker.compressed());
  const Batch batch = maker.make(std::vector<int>{7});
  EXPECT_THAT(batch.indices, ElementsAre(0, 1, 2, 3, 4, -1));
}

}  // namespace
}  // namespace bermuda::nn
