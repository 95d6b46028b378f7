#include "bermuda/graph/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "graph/random_graphs.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The error that making the graph throws.
GraphError error_of(int node_count, std::vector<Edge> edges, std::vector<int> node_labels = {},
                    std::vector<int> edge_labels = {}) {
  try {
    const Graph graph(node_count, std::move(edges), std::move(node_labels), std::move(edge_labels));
  } catch (const GraphError& error) {
    return error;
  }
  ADD_FAILURE() << "no GraphError";
  return GraphError("", {});
}

TEST(Graph, IsEmptyByDefault) {
  const Graph graph;
  EXPECT_EQ(graph.node_count(), 0);
  EXPECT_EQ(graph.edge_count(), 0);
  EXPECT_FALSE(graph.has_node_labels());
  EXPECT_FALSE(graph.has_edge_labels());
  EXPECT_EQ(graph.attribute_width(), 0);
}

TEST(Graph, SortsAndTurnsEdges) {
  const Graph graph(4, {{3, 2}, {1, 0}, {3, 0}});
  EXPECT_THAT(graph.edges(), ElementsAre(Edge{0, 1}, Edge{0, 3}, Edge{2, 3}));
}

TEST(Graph, SortsEdgeLabelsWithTheirEdges) {
  const Graph graph(4, {{3, 2}, {1, 0}, {3, 0}}, {}, {32, 10, 30});
  EXPECT_THAT(graph.edge_labels(), ElementsAre(10, 30, 32));
}

TEST(Graph, KnowsItsEdgesAndDegrees) {
  const Graph graph(5, {{0, 1}, {1, 2}, {1, 4}});
  EXPECT_TRUE(graph.has_edge(1, 0));
  EXPECT_TRUE(graph.has_edge(4, 1));
  EXPECT_FALSE(graph.has_edge(0, 2));
  EXPECT_FALSE(graph.has_edge(3, 3));
  EXPECT_THAT(graph.degrees(), ElementsAre(1, 3, 1, 0, 1));
}

TEST(Graph, RefusesNegativeNodeCount) {
  EXPECT_THAT(error_of(-1, {}).what(), HasSubstr("negative node count -1"));
}

TEST(Graph, RefusesSelfLoop) {
  const GraphError error = error_of(3, {{0, 1}, {2, 2}});
  EXPECT_THAT(error.what(), HasSubstr("self loop at node 2"));
  EXPECT_EQ(error.edge(), (Edge{2, 2}));
}

TEST(Graph, RefusesEndOutOfRange) {
  EXPECT_EQ(error_of(3, {{3, 0}}).edge(), (Edge{0, 3}));
  EXPECT_EQ(error_of(3, {{-1, 0}}).edge(), (Edge{-1, 0}));
  EXPECT_THAT(error_of(3, {{3, 0}}).what(), HasSubstr("edge 0-3 in a graph of 3 nodes"));
}

TEST(Graph, RefusesEdgeThatStandsTwice) {
  const GraphError error = error_of(3, {{0, 1}, {1, 2}, {1, 0}});
  EXPECT_THAT(error.what(), HasSubstr("edge 0-1 stands twice"));
  EXPECT_EQ(error.edge(), (Edge{0, 1}));
  EXPECT_THAT(error_of(3, {{0, 1}, {1, 0}}, {}, {5, 6}).what(), HasSubstr("stands twice"));
}

TEST(Graph, RefusesWrongNumberOfLabels) {
  EXPECT_THAT(error_of(3, {}, {1, 2}).what(), HasSubstr("2 node labels for 3 nodes"));
  EXPECT_THAT(error_of(3, {{0, 1}}, {}, {1, 2}).what(), HasSubstr("2 edge labels for 1 edges"));
}

TEST(Graph, RefusesWrongNumberOfAttributes) {
  Graph graph(2, {});
  EXPECT_THROW(graph.set_attributes(2, {1, 2, 3}), GraphError);
  EXPECT_THROW(graph.set_attributes(-1, {}), GraphError);
  graph.set_attributes(2, {1, 2, 3, 4});
  EXPECT_EQ(graph.attribute_width(), 2);
  EXPECT_THAT(graph.attributes(), ElementsAre(1, 2, 3, 4));
}

TEST(Graph, EqualityLooksAtEverything) {
  const Graph plain(2, {{0, 1}});
  Graph with_attributes = plain;
  with_attributes.set_attributes(1, {0, 0});
  EXPECT_EQ(plain, Graph(2, {{1, 0}}));
  EXPECT_NE(plain, Graph(2, {}));
  EXPECT_NE(plain, Graph(3, {{0, 1}}));
  EXPECT_NE(plain, Graph(2, {{0, 1}}, {0, 0}));
  EXPECT_NE(plain, Graph(2, {{0, 1}}, {}, {0}));
  EXPECT_NE(plain, with_attributes);
}

TEST(Adjacency, ListsNeighboursAscendingWithTheirEdges) {
  RandomStream random(1, Purpose::kTest);
  for (int round = 0; round < 50; ++round) {
    const Graph graph = test::random_graph(random, random.between(0, 15), 0.3);
    const Adjacency adjacency(graph);
    ASSERT_EQ(adjacency.node_count(), graph.node_count());
    int sum = 0;
    for (int u = 0; u < graph.node_count(); ++u) {
      const auto neighbours = adjacency.of(u);
      sum += adjacency.degree(u);
      EXPECT_EQ(adjacency.degree(u), graph.degrees()[at(u)]);
      EXPECT_EQ(std::set<int>(neighbours.begin(), neighbours.end()).size(), neighbours.size());
      EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end()));
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const Edge edge{std::min(u, neighbours[i]), std::max(u, neighbours[i])};
        EXPECT_EQ(graph.edges()[at(adjacency.edges_of(u)[i])], edge);
      }
    }
    EXPECT_EQ(sum, 2 * graph.edge_count());
  }
}

TEST(Witness, IsEmptyWithoutNodesAndEdges) {
  EXPECT_TRUE(Witness{}.empty());
  EXPECT_FALSE((Witness{{1}, {}}).empty());
  EXPECT_FALSE((Witness{{}, {{0, 1}}}).empty());
}

}  // namespace
}  // namespace bermuda
