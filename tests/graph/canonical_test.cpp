#include "bermuda/graph/canonical.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <thread>

#include "graph/igraph_oracle.hpp"
#include "graph/random_graphs.hpp"

namespace bermuda {
namespace {

using test::random_graph;
using test::shuffled;

struct LabelCounts {
  int nodes;
  int edges;
};

class CanonicalForm : public ::testing::TestWithParam<LabelCounts> {};

TEST_P(CanonicalForm, DoesNotDependOnTheOrderOfNodes) {
  RandomStream random(2, Purpose::kTest);
  for (int round = 0; round < 200; ++round) {
    const Graph graph = random_graph(random, random.between(0, 25), 0.05 + 0.4 * random.uniform(),
                                     GetParam().nodes, GetParam().edges);
    const std::string form = canonical_form(graph);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(canonical_form(shuffled(graph, random)), form);
  }
}

TEST_P(CanonicalForm, IsEqualExactlyForIsomorphicGraphs) {
  RandomStream random(3, Purpose::kTest);
  int equal = 0;
  int different = 0;
  for (int round = 0; round < 3000; ++round) {
    const int node_count = random.between(3, 5);
    const Graph a = random_graph(random, node_count, 0.5, GetParam().nodes, GetParam().edges);
    const Graph b = random_graph(random, node_count, 0.5, GetParam().nodes, GetParam().edges);
    if (a.has_edge_labels() != b.has_edge_labels()) continue;
    const bool same = test::isomorphic(a, b);
    ASSERT_EQ(canonical_form(a) == canonical_form(b), same) << "round " << round;
    ++(same ? equal : different);
  }
  EXPECT_GT(equal, 10);
  EXPECT_GT(different, 1000);
}

INSTANTIATE_TEST_SUITE_P(Labels, CanonicalForm,
                         ::testing::Values(LabelCounts{0, 0}, LabelCounts{2, 0}, LabelCounts{0, 2},
                                           LabelCounts{2, 3}),
                         [](const auto& parameter) {
                           return "Nodes" + std::to_string(parameter.param.nodes) + "Edges" +
                                  std::to_string(parameter.param.edges);
                         });

std::size_t class_count(int node_count) {
  std::set<std::string> forms;
  const unsigned patterns = 1u << (node_count * (node_count - 1) / 2);
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    forms.insert(canonical_form(test::pattern_graph(node_count, pattern)));
  }
  return forms.size();
}

TEST(CanonicalFormCounts, GraphsUpToSixNodes) {
  EXPECT_EQ(class_count(1), 1u);
  EXPECT_EQ(class_count(2), 2u);
  EXPECT_EQ(class_count(3), 4u);
  EXPECT_EQ(class_count(4), 11u);
  EXPECT_EQ(class_count(5), 34u);
  EXPECT_EQ(class_count(6), 156u);
}

// OEIS A000666: graphs on 4 nodes of two colours.
TEST(CanonicalFormCounts, TwoNodeLabelsOnFourNodes) {
  std::set<std::string> forms;
  for (unsigned pattern = 0; pattern < 64; ++pattern) {
    for (unsigned labels = 0; labels < 16; ++labels) {
      const Graph plain = test::pattern_graph(4, pattern);
      std::vector<int> node_labels;
      for (unsigned v = 0; v < 4; ++v) node_labels.push_back(static_cast<int>(labels >> v & 1u));
      forms.insert(canonical_form(Graph(4, plain.edges(), node_labels)));
    }
  }
  EXPECT_EQ(forms.size(), 90u);
}

// OEIS A004102: graphs on 4 nodes with edges of two colours.
TEST(CanonicalFormCounts, TwoEdgeLabelsOnFourNodes) {
  std::set<std::string> forms;
  for (unsigned pattern = 0; pattern < 64; ++pattern) {
    const Graph plain = test::pattern_graph(4, pattern);
    for (unsigned labels = 0; labels < 1u << plain.edge_count(); ++labels) {
      std::vector<int> edge_labels;
      for (int id = 0; id < plain.edge_count(); ++id) {
        edge_labels.push_back(static_cast<int>(labels >> id & 1u));
      }
      forms.insert(canonical_form(Graph(4, plain.edges(), {}, edge_labels)));
    }
  }
  EXPECT_EQ(forms.size(), 66u);
}

/// Nodes of a 4 x 4 torus; the neighbours of (0, 0) are the given steps.
Graph torus_graph(const std::vector<std::pair<int, int>>& steps) {
  std::set<Edge> edges;
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      for (const auto& [dx, dy] : steps) {
        const int from = 4 * x + y;
        const int to = 4 * ((x + dx) % 4) + (y + dy) % 4;
        edges.insert({std::min(from, to), std::max(from, to)});
      }
    }
  }
  return Graph(16, {edges.begin(), edges.end()});
}

// Both are strongly regular with parameters (16, 6, 2, 2): colour refinement alone is blind here.
TEST(CanonicalFormHard, TellsShrikhandeFromRookGraph) {
  const Graph shrikhande = torus_graph({{0, 1}, {0, 3}, {1, 0}, {3, 0}, {1, 1}, {3, 3}});
  const Graph rook = torus_graph({{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}});
  ASSERT_EQ(shrikhande.edge_count(), 48);
  ASSERT_EQ(rook.edge_count(), 48);
  EXPECT_NE(canonical_form(shrikhande), canonical_form(rook));
  RandomStream random(4, Purpose::kTest);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(canonical_form(shuffled(shrikhande, random)), canonical_form(shrikhande));
    EXPECT_EQ(canonical_form(shuffled(rook, random)), canonical_form(rook));
  }
}

// Equal degrees everywhere: two edges a-b, c-d become a-d, c-b.
TEST(CanonicalFormHard, AgreesWithVf2AfterAnExchangeOfEnds) {
  RandomStream random(14, Purpose::kTest);
  int equal = 0;
  int different = 0;
  for (int round = 0; round < 2000; ++round) {
    const Graph graph = random_graph(random, random.between(6, 11), 0.3, round % 3);
    if (graph.edge_count() < 2) continue;
    std::vector<Edge> edges = graph.edges();
    const auto some_edge = [&]() -> Edge& {
      return edges[random.below(static_cast<std::uint32_t>(edges.size()))];
    };
    Edge& first = some_edge();
    Edge& second = some_edge();
    const std::set<int> ends{first.u, first.v, second.u, second.v};
    if (ends.size() != 4 || graph.has_edge(first.u, second.v) ||
        graph.has_edge(second.u, first.v)) {
      continue;
    }
    std::swap(first.v, second.v);
    const Graph changed = shuffled(Graph(graph.node_count(), edges, graph.node_labels()), random);
    const bool same = test::isomorphic(graph, changed);
    ASSERT_EQ(canonical_form(graph) == canonical_form(changed), same) << "round " << round;
    ++(same ? equal : different);
  }
  EXPECT_GT(equal, 50);
  EXPECT_GT(different, 300);
}

TEST(CanonicalFormHard, SymmetricGraphs) {
  RandomStream random(15, Purpose::kTest);
  std::vector<Edge> matching;
  std::vector<Edge> bipartite;
  std::vector<Edge> cube;
  for (int v = 0; v < 10; ++v) matching.push_back({2 * v, 2 * v + 1});
  for (int v = 0; v < 6; ++v) {
    for (int u = 6; u < 12; ++u) bipartite.push_back({v, u});
  }
  for (int v = 0; v < 32; ++v) {
    for (int bit = 1; bit < 32; bit *= 2) {
      if ((v & bit) == 0) cube.push_back({v, v | bit});
    }
  }
  const std::vector<Graph> graphs{Graph(20, {}),
                                  Graph(20, matching),
                                  Graph(12, bipartite),
                                  Graph(32, cube),
                                  test::cycle(6),
                                  test::cycle(40),
                                  Graph(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}})};
  std::set<std::string> forms;
  for (const Graph& graph : graphs) {
    const std::string form = canonical_form(graph);
    forms.insert(form);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(canonical_form(shuffled(graph, random)), form);
  }
  EXPECT_EQ(forms.size(), graphs.size());
}

/// One cycle of each length, side by side.
Graph cycles(const std::vector<int>& lengths) {
  std::vector<Edge> edges;
  int first = 0;
  for (const int length : lengths) {
    for (int i = 0; i < length; ++i) edges.push_back({first + i, first + (i + 1) % length});
    first += length;
  }
  return Graph(first, std::move(edges));
}

// All nodes have two neighbours: refinement sees one cell, but where the search begins matters.
TEST(CanonicalFormHard, CyclesOfDifferentLengths) {
  RandomStream random(17, Purpose::kTest);
  for (const auto& lengths : std::vector<std::vector<int>>{
           {3, 4}, {3, 5}, {4, 5}, {3, 3, 4}, {3, 4, 5}, {5, 6, 7}, {4, 6, 8, 10}, {3, 9, 27}}) {
    const Graph graph = cycles(lengths);
    const std::string form = canonical_form(graph);
    for (int i = 0; i < 30; ++i) ASSERT_EQ(canonical_form(shuffled(graph, random)), form);
  }
}

TEST(CanonicalFormHard, CubicGraphs) {
  RandomStream random(18, Purpose::kTest);
  std::vector<Graph> graphs;
  for (int round = 0; round < 150; ++round) {
    // A prism whose edges exchange ends at random.
    const int half = random.between(4, 7);
    std::vector<Edge> edges;
    for (int v = 0; v < half; ++v) {
      edges.push_back({v, (v + 1) % half});
      edges.push_back({half + v, half + (v + 1) % half});
      edges.push_back({v, half + v});
    }
    for (int i = 0; i < 60; ++i) {
      std::vector<Edge> changed = edges;
      const auto count = static_cast<std::uint32_t>(edges.size());
      std::swap(changed[random.below(count)].v, changed[random.below(count)].v);
      try {
        const Graph valid(2 * half, changed);
        edges = changed;
      } catch (const GraphError&) {
      }
    }
    graphs.emplace_back(2 * half, edges);
    const std::string form = canonical_form(graphs.back());
    for (int i = 0; i < 5; ++i) ASSERT_EQ(canonical_form(shuffled(graphs.back(), random)), form);
  }
  for (const Graph& a : graphs) {
    for (const Graph& b : graphs) {
      ASSERT_EQ(canonical_form(a) == canonical_form(b), test::isomorphic(a, b));
    }
  }
}

// Here the search on machine words ends and BLISS begins.
TEST(CanonicalFormHard, AroundSixtyFourNodes) {
  RandomStream random(16, Purpose::kTest);
  for (int node_count = 60; node_count <= 68; ++node_count) {
    for (const double density : {0.0, 0.02, 0.1, 0.9, 1.0}) {
      const Graph graph = random_graph(random, node_count, density);
      EXPECT_EQ(canonical_form(shuffled(graph, random)), canonical_form(graph));
      // Nodes put on labelled edges count too.
      const Graph labelled = random_graph(random, 50, density / 10, 2, 2);
      EXPECT_EQ(canonical_form(shuffled(labelled, random)), canonical_form(labelled));
    }
  }
}

TEST(CanonicalFormLabels, ValuesCountNotOnlyTheirPattern) {
  EXPECT_NE(canonical_form(Graph(2, {{0, 1}}, {1, 2})), canonical_form(Graph(2, {{0, 1}}, {1, 3})));
  EXPECT_NE(canonical_form(Graph(2, {{0, 1}}, {}, {1})),
            canonical_form(Graph(2, {{0, 1}}, {}, {2})));
  EXPECT_NE(canonical_form(Graph(2, {{0, 1}})), canonical_form(Graph(2, {{0, 1}}, {0, 0})));
  EXPECT_NE(canonical_form(Graph(2, {{0, 1}})), canonical_form(Graph(2, {{0, 1}}, {}, {0})));
  EXPECT_EQ(canonical_form(Graph(2, {{0, 1}}, {1, 2})), canonical_form(Graph(2, {{0, 1}}, {2, 1})));
}

TEST(CanonicalFormLabels, FormsWithAndWithoutLabelsNeverMeet) {
  std::set<std::string> plain;
  std::set<std::string> labelled;
  for (unsigned pattern = 0; pattern < 1024; ++pattern) {
    const Graph graph = test::pattern_graph(5, pattern);
    plain.insert(canonical_form(graph));
    for (int label = -12; label <= 12; ++label) {
      if (graph.edge_count() == 0 || graph.edge_count() > 3) continue;
      const std::vector<int> edge_labels(graph.edges().size(), label);
      labelled.insert(canonical_form(Graph(5, graph.edges(), {}, edge_labels)));
      labelled.insert(canonical_form(Graph(5, graph.edges(), std::vector<int>(5, label))));
      labelled.insert(
          canonical_form(Graph(5, graph.edges(), std::vector<int>(5, label), edge_labels)));
    }
  }
  EXPECT_EQ(labelled.size(), 3u * 25u * 7u);  // 1 + 2 + 4 graphs of one to three edges
  for (const std::string& form : plain) EXPECT_FALSE(labelled.contains(form));
}

TEST(CanonicalFormLabels, MayBeAnyInteger) {
  const int least = std::numeric_limits<int>::min();
  const int most = std::numeric_limits<int>::max();
  std::set<std::string> forms;
  for (const int a : {least, -1, 0, 1, most}) {
    forms.insert(canonical_form(Graph(2, {}, {a, 0})));
    forms.insert(canonical_form(Graph(2, {{0, 1}}, {}, {a})));
  }
  EXPECT_EQ(forms.size(), 10u);
}

TEST(CanonicalFormLabels, AttributesAreIgnored) {
  Graph graph(3, {{0, 1}});
  const std::string form = canonical_form(graph);
  graph.set_attributes(1, {1.0, 2.0, 3.0});
  EXPECT_EQ(canonical_form(graph), form);
}

TEST(CanonicalFormSmall, NodesWithoutEdgesCount) {
  EXPECT_NE(canonical_form(Graph()), canonical_form(Graph(1, {})));
  EXPECT_NE(canonical_form(Graph(2, {{0, 1}})), canonical_form(Graph(3, {{0, 1}})));
}

TEST(CanonicalFormThreads, GiveWhatOneThreadGives) {
  RandomStream random(5, Purpose::kTest);
  std::vector<Graph> graphs;
  for (int i = 0; i < 400; ++i)
    graphs.push_back(random_graph(random, i % 5 == 0 ? 70 : 15, 0.2, i % 2, i % 3));
  std::vector<std::string> expected;
  for (const Graph& graph : graphs) expected.push_back(canonical_form(graph));
  std::vector<std::vector<std::string>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& forms : found) {
      threads.emplace_back([&] {
        for (const Graph& graph : graphs) forms.push_back(canonical_form(graph));
      });
    }
  }
  for (const auto& forms : found) EXPECT_EQ(forms, expected);
}

void own_handler(const char*, const char*, int, igraph_error_t) {}

TEST(CanonicalFormGlobals, LeavesTheErrorHandlerOfTheProgramInPlace) {
  igraph_error_handler_t* const before = igraph_set_error_handler(own_handler);
  std::vector<Edge> ring;
  for (int v = 0; v < 100; ++v) ring.push_back({v, (v + 1) % 100});
  canonical_form(Graph(100, ring));
  EXPECT_EQ(igraph_set_error_handler(before), own_handler);
}

}  // namespace
}  // namespace bermuda
