#include "bermuda/graph/graphlets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bermuda/graph/canonical.hpp"
#include "graph/igraph_oracle.hpp"
#include "graph/random_graphs.hpp"

namespace bermuda {
namespace {

using test::pattern_graph;
using test::random_graph;

int pattern_count(int k) { return 1 << (k * (k - 1) / 2); }

TEST(GraphletClasses, HaveTheKnownNumbers) {
  const int all[] = {1, 2, 4, 11, 34};
  const int connected[] = {1, 1, 2, 6, 21};
  for (int k = 1; k <= kLargestGraphlet; ++k) {
    const GraphletClasses& classes = GraphletClasses::of_size(k);
    EXPECT_EQ(classes.size(), k);
    EXPECT_EQ(classes.class_count(), all[k - 1]);
    int found = 0;
    for (int c = 0; c < classes.class_count(); ++c) found += classes.is_connected(c) ? 1 : 0;
    EXPECT_EQ(found, connected[k - 1]);
  }
}

TEST(GraphletClasses, AreTheIsomorphismClasses) {
  for (int k = 1; k <= kLargestGraphlet; ++k) {
    const GraphletClasses& classes = GraphletClasses::of_size(k);
    std::map<std::string, int> class_of_form;
    std::set<int> seen;
    for (int pattern = 0; pattern < pattern_count(k); ++pattern) {
      const auto bits = static_cast<std::uint32_t>(pattern);
      const std::string form = canonical_form(pattern_graph(k, bits));
      const int graphlet = classes.class_of(bits);
      ASSERT_EQ(class_of_form.try_emplace(form, graphlet).first->second, graphlet);
      seen.insert(graphlet);
    }
    EXPECT_EQ(class_of_form.size(), seen.size());
  }
}

TEST(GraphletClasses, AgreeWithIgraph) {
  for (int k = 3; k <= kLargestGraphlet; ++k) {
    const GraphletClasses& classes = GraphletClasses::of_size(k);
    std::map<int, int> class_of_isoclass;
    for (int pattern = 0; pattern < pattern_count(k); ++pattern) {
      const auto bits = static_cast<std::uint32_t>(pattern);
      const test::IgraphCopy copy(pattern_graph(k, bits));
      const int graphlet = classes.class_of(bits);
      ASSERT_EQ(class_of_isoclass.try_emplace(copy.isoclass(), graphlet).first->second, graphlet);
      igraph_bool_t connected = false;
      igraph_is_connected(copy.get(), &connected, IGRAPH_WEAK);
      ASSERT_EQ(classes.is_connected(graphlet), connected);
    }
    EXPECT_EQ(class_of_isoclass.size(), at(classes.class_count()));
  }
}

TEST(GraphletClasses, AreNumberedByEdgesThenByPattern) {
  for (int k = 1; k <= kLargestGraphlet; ++k) {
    const GraphletClasses& classes = GraphletClasses::of_size(k);
    for (int c = 0; c < classes.class_count(); ++c) {
      const std::uint32_t representative = classes.representative(c);
      EXPECT_EQ(classes.class_of(representative), c);
      for (std::uint32_t smaller = 0; smaller < representative; ++smaller) {
        EXPECT_NE(classes.class_of(smaller), c);
      }
      if (c == 0) continue;
      const std::uint32_t before = classes.representative(c - 1);
      EXPECT_LT(std::pair(std::popcount(before), before),
                std::pair(std::popcount(representative), representative));
    }
  }
}

TEST(GraphletClasses, HaveNamesOfTheirOwn) {
  for (int k = 1; k <= kLargestGraphlet; ++k) {
    const GraphletClasses& classes = GraphletClasses::of_size(k);
    std::set<std::string> names;
    for (int c = 0; c < classes.class_count(); ++c) names.insert(classes.name(c));
    EXPECT_EQ(names.size(), at(classes.class_count()));
  }
  const auto name_of = [](const Graph& graph) {
    std::uint32_t pattern = 0;
    for (const Edge& edge : graph.edges()) pattern |= 1u << (edge.v * (edge.v - 1) / 2 + edge.u);
    const GraphletClasses& classes = GraphletClasses::of_size(graph.node_count());
    return classes.name(classes.class_of(pattern));
  };
  EXPECT_EQ(name_of(test::cycle(3)), "triangle");
  EXPECT_EQ(name_of(Graph(4, {{0, 1}, {1, 2}, {2, 3}})), "4-path");
  EXPECT_EQ(name_of(Graph(4, {{0, 1}, {0, 2}, {0, 3}})), "claw");
  EXPECT_EQ(name_of(Graph(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}})), "paw");
  EXPECT_EQ(name_of(test::cycle(4)), "4-cycle");
  EXPECT_EQ(name_of(Graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}})), "diamond");
  EXPECT_EQ(name_of(pattern_graph(4, 63)), "4-clique");
  EXPECT_EQ(name_of(test::cycle(5)), "5-cycle");
  EXPECT_EQ(name_of(Graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}, {3, 4}})), "house");
  EXPECT_EQ(name_of(Graph(5, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 4}})), "bull");
}

TEST(GraphletClasses, RefuseOtherSizes) {
  EXPECT_THROW(GraphletClasses::of_size(0), UsageError);
  EXPECT_THROW(GraphletClasses::of_size(6), UsageError);
  EXPECT_THROW(count_connected_graphlets(Graph(3, {}), 2), UsageError);
  EXPECT_THROW(count_connected_graphlets(Graph(3, {}), 6), UsageError);
}

/// Looks at every set of k nodes.
class BruteForce {
 public:
  BruteForce(const Graph& graph, int k)
      : graph_(graph), classes_(GraphletClasses::of_size(k)), counts_(at(classes_.class_count())) {
    choose(0, 0);
  }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  void choose(int first, std::uint32_t pattern) {
    const auto chosen = static_cast<int>(nodes_.size());
    if (chosen == classes_.size()) {
      const int graphlet = classes_.class_of(pattern);
      if (classes_.is_connected(graphlet)) ++counts_[at(graphlet)];
      return;
    }
    for (int v = first; v < graph_.node_count(); ++v) {
      std::uint32_t grown = pattern;
      for (int i = 0; i < chosen; ++i) {
        if (graph_.has_edge(nodes_[at(i)], v)) grown |= 1u << (chosen * (chosen - 1) / 2 + i);
      }
      nodes_.push_back(v);
      choose(v + 1, grown);
      nodes_.pop_back();
    }
  }

  const Graph& graph_;
  const GraphletClasses& classes_;
  std::vector<int> nodes_;
  std::vector<std::uint64_t> counts_;
};

TEST(GraphletCounts, AgreeWithBruteForce) {
  RandomStream random(9, Purpose::kTest);
  for (int round = 0; round < 60; ++round) {
    const Graph graph = random_graph(random, random.between(0, 16), random.uniform());
    for (int k = 3; k <= kLargestGraphlet; ++k) {
      ASSERT_EQ(count_connected_graphlets(graph, k), BruteForce(graph, k).counts());
    }
  }
  const Graph larger = random_graph(random, 40, 0.15);
  for (int k = 3; k <= 4; ++k) {
    EXPECT_EQ(count_connected_graphlets(larger, k), BruteForce(larger, k).counts());
  }
}

/// igraph's counts under our numbers.
std::vector<std::uint64_t> igraph_counts(const Graph& graph, int k) {
  const GraphletClasses& classes = GraphletClasses::of_size(k);
  const std::vector<double> motifs = test::IgraphCopy(graph).motifs(k);
  std::vector<std::uint64_t> counts(at(classes.class_count()), 0);
  for (int c = 0; c < classes.class_count(); ++c) {
    const int isoclass = test::IgraphCopy(pattern_graph(k, classes.representative(c))).isoclass();
    const double count = motifs[at(isoclass)];
    if (!std::isnan(count)) counts[at(c)] = static_cast<std::uint64_t>(std::llround(count));
  }
  return counts;
}

TEST(GraphletCounts, AgreeWithIgraph) {
  RandomStream random(10, Purpose::kTest);
  for (const int node_count : {10, 30, 63, 64, 65, 100, 300}) {
    const Graph graph = random_graph(random, node_count, 5.0 / node_count);
    for (int k = 3; k <= 4; ++k) {
      EXPECT_EQ(count_connected_graphlets(graph, k), igraph_counts(graph, k)) << node_count;
    }
  }
}

TEST(GraphletCounts, AreTheSameInBothEnumerations) {
  // One node without edges more moves the graph from machine words to neighbour lists.
  RandomStream random(11, Purpose::kTest);
  for (int round = 0; round < 5; ++round) {
    const Graph graph = random_graph(random, 64, 0.08);
    const Graph padded(65, graph.edges());
    for (int k = 3; k <= kLargestGraphlet; ++k) {
      EXPECT_EQ(count_connected_graphlets(graph, k), count_connected_graphlets(padded, k));
    }
  }
}

TEST(GraphletCounts, HaveClosedFormsOnALargeRing) {
  // Every node is joined to the two next ones: n triangles, and each node is the middle of six
  // pairs of neighbours, three of which close a triangle.
  constexpr int kNodes = 3000;
  std::vector<Edge> edges;
  for (int v = 0; v < kNodes; ++v) {
    edges.push_back({v, (v + 1) % kNodes});
    edges.push_back({v, (v + 2) % kNodes});
  }
  const Graph ring(kNodes, edges);
  const auto three = count_connected_graphlets(ring, 3);
  EXPECT_EQ(three[2], 3u * kNodes);
  EXPECT_EQ(three[3], 1u * kNodes);
  const auto four = count_connected_graphlets(ring, 4);
  EXPECT_EQ(four, igraph_counts(ring, 4));
  EXPECT_EQ(four[9], 1u * kNodes) << "diamonds";
  EXPECT_EQ(four[10], 0u) << "cliques";
}

TEST(GraphletCounts, ObeyTheWedgeFormulaOnALargeSparseGraph) {
  RandomStream random(12, Purpose::kTest);
  constexpr int kNodes = 3000;
  std::set<Edge> edges;
  while (edges.size() < 9000) {
    const int u = random.between(0, kNodes - 1);
    const int v = random.between(0, kNodes - 1);
    if (u < v) edges.insert({u, v});
  }
  const Graph graph(kNodes, {edges.begin(), edges.end()});
  std::uint64_t wedges = 0;
  for (const int degree : graph.degrees()) {
    wedges += static_cast<std::uint64_t>(degree) * static_cast<std::uint64_t>(degree - 1) / 2;
  }
  const auto three = count_connected_graphlets(graph, 3);
  EXPECT_GT(three[3], 0u);
  EXPECT_EQ(three[2] + 3 * three[3], wedges);
  EXPECT_EQ(count_connected_graphlets(graph, 4), igraph_counts(graph, 4));
}

TEST(GraphletCounts, OfACompleteGraphAreCliques) {
  const auto counts = count_connected_graphlets(pattern_graph(8, (1u << 28) - 1), 5);
  EXPECT_EQ(counts.back(), 56u);
  for (std::size_t c = 0; c + 1 < counts.size(); ++c) EXPECT_EQ(counts[c], 0u);
}

}  // namespace
}  // namespace bermuda
