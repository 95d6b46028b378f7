#include "bermuda/graph/wl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "graph/random_graphs.hpp"

namespace bermuda {
namespace {

using test::cycle;
using test::random_graph;
using Colours = std::vector<std::vector<int>>;

/// The unfolding tree of a node, written out.
std::string tree(const Graph& graph, int node, int depth, bool use_edge_labels) {
  std::string own =
      graph.has_node_labels() ? "label " + std::to_string(graph.node_labels()[at(node)]) : "none";
  if (depth == 0) return own;
  std::vector<std::string> children;
  for (int id = 0; id < graph.edge_count(); ++id) {
    const Edge edge = graph.edges()[at(id)];
    if (edge.u != node && edge.v != node) continue;
    std::string child = tree(graph, edge.u == node ? edge.v : edge.u, depth - 1, use_edge_labels);
    if (use_edge_labels && graph.has_edge_labels()) {
      child = "via " + std::to_string(graph.edge_labels()[at(id)]) + " " + child;
    }
    children.push_back(child);
  }
  std::sort(children.begin(), children.end());
  std::string text = tree(graph, node, depth - 1, use_edge_labels) + " [";
  for (const std::string& child : children) text += child + ", ";
  return text + "]";
}

struct Setting {
  int node_labels;
  int edge_labels;
  bool use_edge_labels;
};

class WlAgainstTrees : public ::testing::TestWithParam<Setting> {};

TEST_P(WlAgainstTrees, NamesTreesInOrderOfAppearance) {
  constexpr int kRounds = 3;
  const Setting setting = GetParam();
  RandomStream random(6, Purpose::kTest);
  WlColouring colouring({kRounds, setting.use_edge_labels});
  std::vector<std::map<std::string, int>> names(kRounds + 1);
  for (int i = 0; i < 60; ++i) {
    // Every fourth graph has no labels, which must not be mistaken for label 0.
    const bool plain = i % 4 == 3;
    const Graph graph =
        random_graph(random, random.between(1, 8), 0.3, plain ? 0 : setting.node_labels,
                     plain ? 0 : setting.edge_labels);
    const Colours colours = colouring.learn(graph);
    ASSERT_EQ(colours.size(), at(kRounds + 1));
    for (int round = 0; round <= kRounds; ++round) {
      auto& known = names[at(round)];
      for (int v = 0; v < graph.node_count(); ++v) {
        const std::string text = tree(graph, v, round, setting.use_edge_labels);
        const int name = known.try_emplace(text, static_cast<int>(known.size())).first->second;
        ASSERT_EQ(colours[at(round)][at(v)], name) << "graph " << i << " round " << round;
      }
      ASSERT_EQ(colouring.colour_count(round), static_cast<int>(known.size()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, WlAgainstTrees,
                         ::testing::Values(Setting{0, 0, false}, Setting{3, 0, false},
                                           Setting{0, 2, false}, Setting{0, 2, true},
                                           Setting{2, 3, true}));

TEST(Wl, LookUpGivesWhatLearnGave) {
  RandomStream random(7, Purpose::kTest);
  WlColouring colouring({4, true});
  std::vector<Graph> graphs;
  std::vector<Colours> learned;
  for (int i = 0; i < 100; ++i) {
    graphs.push_back(random_graph(random, random.between(0, 20), 0.2, 2, 2));
    learned.push_back(colouring.learn(graphs.back()));
  }
  const int count = colouring.colour_count(4);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    EXPECT_EQ(colouring.look_up(graphs[i]), learned[i]);
  }
  EXPECT_EQ(colouring.colour_count(4), count);
}

TEST(Wl, LookUpOfNewGraphsIsLearnWithoutTheNewColours) {
  RandomStream random(8, Purpose::kTest);
  WlColouring frozen({3, false});
  WlColouring growing({3, false});
  for (int i = 0; i < 20; ++i) {
    const Graph graph = random_graph(random, 8, 0.3);
    frozen.learn(graph);
    growing.learn(graph);
  }
  int unknown = 0;
  for (int i = 0; i < 50; ++i) {
    const Graph graph = random_graph(random, 8, 0.3);
    const Colours found = frozen.look_up(graph);
    const Colours expected = growing.learn(graph);
    for (std::size_t round = 0; round < found.size(); ++round) {
      for (std::size_t v = 0; v < found[round].size(); ++v) {
        const bool known = expected[round][v] < frozen.colour_count(static_cast<int>(round));
        ASSERT_EQ(found[round][v], known ? expected[round][v] : WlColouring::kUnknown);
        unknown += known ? 0 : 1;
      }
    }
  }
  EXPECT_GT(unknown, 0);
}

TEST(Wl, UnknownColoursSpread) {
  WlColouring colouring({2, false});
  colouring.learn(Graph(3, {{0, 1}, {1, 2}}, {1, 1, 1}));
  // Label 9 is new: node 2 at once, its neighbour a round later, node 0 in round 2.
  const Colours colours = colouring.look_up(Graph(3, {{0, 1}, {1, 2}}, {1, 1, 9}));
  EXPECT_EQ(colours[0], (std::vector<int>{0, 0, WlColouring::kUnknown}));
  EXPECT_EQ(colours[1], (std::vector<int>{0, WlColouring::kUnknown, WlColouring::kUnknown}));
  EXPECT_EQ(colours[2], std::vector<int>(3, WlColouring::kUnknown));
}

TEST(Wl, UnknownColoursDoNotSpreadAcrossComponents) {
  WlColouring colouring({2, false});
  const Graph edge(2, {{0, 1}}, {1, 1});
  const Colours known = colouring.learn(edge);
  const Colours colours = colouring.look_up(Graph(4, {{0, 1}, {2, 3}}, {1, 1, 9, 1}));
  EXPECT_EQ(colours[2][0], known[2][0]);
  EXPECT_EQ(colours[2][3], WlColouring::kUnknown);
}

TEST(Wl, CannotTellSixCycleFromTwoTriangles) {
  WlColouring colouring({5, false});
  const Graph triangles(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}});
  EXPECT_EQ(colouring.learn(cycle(6)), colouring.learn(triangles));
}

TEST(Wl, TellsPathFromCycle) {
  WlColouring colouring({1, false});
  EXPECT_NE(colouring.learn(cycle(4)), colouring.learn(Graph(4, {{0, 1}, {1, 2}, {2, 3}})));
}

TEST(Wl, EdgeLabelsCountOnlyWhenWanted) {
  const Graph a(2, {{0, 1}}, {}, {1});
  const Graph b(2, {{0, 1}}, {}, {2});
  const Graph none(2, {{0, 1}});
  WlColouring with({1, true});
  EXPECT_NE(with.learn(a), with.learn(b));
  EXPECT_NE(with.learn(a), with.learn(none));
  WlColouring without({1, false});
  EXPECT_EQ(without.learn(a), without.learn(b));
  EXPECT_EQ(without.learn(a), without.learn(none));
}

TEST(Wl, NodesOfManyNeighboursAreSortedToo) {
  // A star whose leaves carry labels in two orders: the multisets are equal.
  constexpr int kLeaves = 100;
  std::vector<Edge> edges;
  std::vector<int> up{0};
  for (int leaf = 1; leaf <= kLeaves; ++leaf) {
    edges.push_back({0, leaf});
    up.push_back(leaf % 7);
  }
  std::vector<int> down = up;
  std::reverse(down.begin() + 1, down.end());
  WlColouring colouring({2, false});
  EXPECT_EQ(colouring.learn(Graph(kLeaves + 1, edges, up))[2][0],
            colouring.learn(Graph(kLeaves + 1, edges, down))[2][0]);
}

TEST(Wl, NoRoundsGiveTheLabels) {
  WlColouring colouring({0, false});
  EXPECT_EQ(colouring.learn(Graph(3, {{0, 1}}, {7, -2, 7})), (Colours{{0, 1, 0}}));
  EXPECT_EQ(colouring.colour_count(0), 2);
}

TEST(Wl, RefusesNonsense) {
  EXPECT_THROW(WlColouring({-1, false}), UsageError);
  const WlColouring colouring({2, false});
  EXPECT_THROW(colouring.colour_count(3), UsageError);
  EXPECT_THROW(colouring.colour_count(-1), UsageError);
}

TEST(Wl, KeepsItsDictionaryWhenMoved) {
  WlColouring first({2, false});
  const Colours colours = first.learn(cycle(5));
  const WlColouring second = std::move(first);
  EXPECT_EQ(second.look_up(cycle(5)), colours);
}

}  // namespace
}  // namespace bermuda
