// planar, diameter, isomorphic-pair and csl: one fault each.
#include <gtest/gtest.h>

#include <set>

#include "bermuda/generate/generate.hpp"
#include "verify/expectations.hpp"

namespace bermuda {
namespace {

using test::expect_only;
using test::listed;
using test::verified;

/// One graph that claims to be of a task; of class 1 there is another, as classes are balanced.
DataSet alone(const std::string& task, int label, const Graph& graph, const Witness& witness,
              const Sample& other) {
  DataSet data;
  data.name = task;
  data.class_names = {"0", "1"};
  data.splits = {{"all", {}}};
  data.splits[0].samples.push_back({"it", label, graph, witness, Sample::kNoHits, ""});
  data.splits[0].samples.push_back(other);
  data.provenance["task"] = task;
  return data;
}

/// A sound graph of the other class.
Sample sound(const std::string& task, int label) {
  return make_task(task)->make(1, wanted_class(0) == label ? 0 : 1);
}

Witness whole(const Graph& graph) {
  Witness witness;
  for (int node = 0; node < graph.node_count(); ++node) witness.nodes.push_back(node);
  witness.edges = graph.edges();
  return witness;
}

// ----- planar -----

void expect_not_planar(const Graph& graph, const Witness& witness, const std::string& detail) {
  const DataSet data = alone("planar", 0, graph, witness, sound("planar", 1));
  if (detail.empty()) {
    EXPECT_EQ(listed(verified(data)), "");
  } else {
    expect_only(data, "all/it", "witness", detail);
  }
}

// K3,3 between 0, 1, 2 and 3, 4, 5; its edge 0-3 passes 6, and 7 hangs on 0, 8 and 9 on 7.
Graph k33_and_more() {
  return Graph(10, {{0, 4},
                    {0, 5},
                    {0, 6},
                    {0, 7},
                    {1, 3},
                    {1, 4},
                    {1, 5},
                    {2, 3},
                    {2, 4},
                    {2, 5},
                    {3, 6},
                    {7, 8},
                    {7, 9},
                    {8, 9}});
}

Witness k33_of_it() {
  Witness witness = whole(k33_and_more());
  witness.nodes = {0, 1, 2, 3, 4, 5, 6};
  std::erase_if(witness.edges, [](const Edge& edge) { return edge.v >= 7; });
  return witness;
}

TEST(VerifyPlanar, Witness) {
  const Graph graph = k33_and_more();
  expect_not_planar(graph, k33_of_it(), "");
  expect_not_planar(graph, {}, "found none, expected one in this class");

  Witness witness = k33_of_it();
  std::erase(witness.edges, Edge{0, 6});
  expect_not_planar(graph, witness, "node 6 has 1 edge, expected at least two");

  witness = k33_of_it();
  std::erase(witness.edges, Edge{2, 5});
  expect_not_planar(graph, witness, "found 4 nodes of three or more edges, expected five or six");

  witness = k33_of_it();
  witness.nodes.insert(witness.nodes.end(), {7, 8, 9});
  witness.edges.insert(witness.edges.end(), {{7, 8}, {7, 9}, {8, 9}});
  expect_not_planar(graph, witness, "it holds a ring beside the paths");

  witness = whole(graph);
  expect_not_planar(graph, witness, "a path from node 7 leads to no other branch");
}

TEST(VerifyPlanar, WitnessThatIsAPrismOrHasDoublePaths) {
  // A prism 0-1-2, 3-4-5 has six nodes of degree three, too, and is planar; a K5 elsewhere.
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5},
                             {4, 5}, {0, 3}, {1, 4}, {2, 5}};
  for (int v = 7; v < 11; ++v) {
    for (int u = 6; u < v; ++u) edges.push_back({u, v});
  }
  const Graph graph(11, edges);
  Witness prism = whole(Graph(6, {edges.begin(), edges.begin() + 9}));
  expect_not_planar(graph, prism, "neither joined nor on one side of K3,3");
  Witness k5 = whole(graph);
  std::erase_if(k5.nodes, [](int node) { return node < 6; });
  std::erase_if(k5.edges, [](const Edge& edge) { return edge.u < 6; });
  expect_not_planar(graph, k5, "");

  // Five nodes of degree four in a ring, every two neighbours joined by two paths.
  std::vector<Edge> doubled;
  for (int i = 0; i < 5; ++i) doubled.insert(doubled.end(), {{i, (i + 1) % 5}});
  for (int i = 0; i < 5; ++i) doubled.insert(doubled.end(), {{i, i + 5}, {(i + 1) % 5, i + 5}});
  const Witness ring = whole(Graph(10, doubled));
  for (int v = 11; v < 15; ++v) {
    for (int u = 10; u < v; ++u) doubled.push_back({u, v});
  }
  expect_not_planar(Graph(15, doubled), ring, "paths from node 0 do not lead to 4 others");
}

TEST(VerifyPlanar, Class) {
  DataSet data = alone("planar", 1, k33_and_more(), {}, sound("planar", 0));
  expect_only(data, "all/it", "class",
              "found a graph that is not planar, expected a planar one in class 1");
  data = alone("planar", 0, Graph(4, {{0, 1}, {1, 2}, {2, 3}}), {}, sound("planar", 1));
  expect_only(data, "all/it", "class",
              "found a planar graph, expected one that is not planar in class 0");
  data = alone("planar", 1, Graph(2, {{0, 1}}), {{0, 1}, {{0, 1}}}, sound("planar", 0));
  expect_only(data, "all/it", "witness", "found 2 nodes, expected none in this class");
}

// Two ways of finding out that share nothing, on graphs around and far from the border.
TEST(VerifyPlanar, AgreesWithBoyerAndMyrvoldOnRandomGraphs) {
  const auto task = make_task("planar");
  RandomStream random(3, Purpose::kTest);
  int planar = 0;
  for (int i = 0; i < 4000; ++i) {
    const int nodes = random.between(5, 16);
    const int wanted = random.between(nodes - 1, std::min(nodes * 2, nodes * (nodes - 1) / 2));
    std::set<Edge> edges;
    while (static_cast<int>(edges.size()) < wanted) {
      const int u = random.between(0, nodes - 2);
      edges.insert({u, random.between(u + 1, nodes - 1)});
    }
    const Graph graph(nodes, {edges.begin(), edges.end()});
    const auto answer = task->answer(graph);
    planar += answer->label;
    const DataSet data =
        alone("planar", answer->label, graph, answer->witness, sound("planar", 1 - answer->label));
    ASSERT_EQ(listed(verified(data)), "") << i;
  }
  EXPECT_GT(planar, 1000);
  EXPECT_LT(planar, 3000);
}

// ----- diameter -----

// A path 0-1-...-7 with a ring 2-8-9-10-2 on it, which is a triangle's worth beside it.
Graph long_graph() {
  return Graph(
      11,
      {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {2, 8}, {8, 9}, {8, 10}, {9, 10}});
}

void expect_long(const Witness& witness, const std::string& detail) {
  const DataSet data = alone("diameter", 1, long_graph(), witness, sound("diameter", 0));
  if (detail.empty()) {
    EXPECT_EQ(listed(verified(data)), "");
  } else {
    expect_only(data, "all/it", "witness", detail);
  }
}

TEST(VerifyDiameter, Witness) {
  const Witness right = {{0, 1, 2, 3, 4, 5, 6, 7},
                         {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}};
  expect_long(right, "");
  // As long, from another end: 9-8-2-...-7.
  expect_long({{2, 3, 4, 5, 6, 7, 8, 9}, {{2, 3}, {2, 8}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {8, 9}}},
              "");
  expect_long({}, "found none");
  Witness wrong = right;
  wrong.edges.pop_back();
  expect_long(wrong, "found 6 edges, expected a path of 7");
  wrong = right;
  wrong.nodes.push_back(9);
  expect_long(wrong, "node 9 is not on the path");
  // 2-...-6 and a triangle: as many edges as the path has.
  expect_long(
      {{2, 3, 4, 5, 6, 8, 9, 10}, {{2, 3}, {3, 4}, {4, 5}, {5, 6}, {8, 9}, {8, 10}, {9, 10}}},
      "nodes 2 and 6 are at distance 4, expected 7");
  expect_long(
      {{0, 1, 2, 3, 5, 6, 7, 8, 9}, {{0, 1}, {1, 2}, {2, 3}, {2, 8}, {5, 6}, {6, 7}, {8, 9}}},
      "node 2 has 3 edges, expected a path");
  expect_long(
      {{0, 1, 2, 3, 5, 6, 7, 8, 9, 10}, {{0, 1}, {1, 2}, {2, 3}, {5, 6}, {6, 7}, {8, 9}, {8, 10}}},
      "its edges do not form one path");
}

TEST(VerifyDiameter, Class) {
  DataSet data = alone("diameter", 0, long_graph(), {}, sound("diameter", 1));
  expect_only(data, "all/it", "class",
              "found a diameter of 7, expected a diameter below 6 in class 0");
  data = alone("diameter", 0, Graph(4, {{0, 1}, {2, 3}}), {}, sound("diameter", 1));
  expect_only(data, "all/it", "class", "found a graph that is not connected");
}

// ----- isomorphic-pair -----

// The prism 0..5 and K3,3 on 6..11.
Graph prism_and_k33() {
  return Graph(12, {{0, 1},
                    {1, 2},
                    {0, 2},
                    {3, 4},
                    {4, 5},
                    {3, 5},
                    {0, 3},
                    {1, 4},
                    {2, 5},
                    {6, 9},
                    {6, 10},
                    {6, 11},
                    {7, 9},
                    {7, 10},
                    {7, 11},
                    {8, 9},
                    {8, 10},
                    {8, 11}});
}

void expect_different(const Witness& witness, const std::string& detail) {
  const DataSet data =
      alone("isomorphic-pair", 0, prism_and_k33(), witness, sound("isomorphic-pair", 1));
  if (detail.empty()) {
    EXPECT_EQ(listed(verified(data)), "");
  } else {
    expect_only(data, "all/it", "witness", detail);
  }
}

TEST(VerifyIsomorphicPair, Witness) {
  expect_different({{0, 1, 2, 3}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}}}, "");
  expect_different({{6, 9, 10, 11}, {{6, 9}, {6, 10}, {6, 11}}}, "");
  expect_different({}, "found none");
  expect_different({{0, 1, 2, 3}, {{0, 1}, {0, 2}, {0, 3}}},
                   "found 3 edges, expected all 4 between its nodes");
  expect_different({{0, 6}, {}}, "nodes 0 and 6 are in different halves");
  expect_different({{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}},
                   "its nodes are not all those within some steps of one of them");
  expect_different({{0}, {}}, "the other half has a part like it");
}

TEST(VerifyIsomorphicPair, Class) {
  const auto expect_class = [](int label, const Graph& graph, const std::string& detail) {
    expect_only(alone("isomorphic-pair", label, graph, {}, sound("isomorphic-pair", 1 - label)),
                "all/it", "class", detail);
  };
  expect_class(1, prism_and_k33(),
               "found two halves that are not isomorphic, expected two "
               "isomorphic halves in class 1");
  expect_class(0, Graph(6, {{0, 2}, {2, 4}, {1, 3}, {3, 5}}), "found two isomorphic halves");
  expect_class(0, Graph(3, {{0, 1}, {1, 2}}), "found pieces of 3 and 0 nodes");
  expect_class(0, Graph(6, {{0, 1}, {2, 3}, {4, 5}}), "found more than two pieces");
  expect_class(0, Graph(8, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {4, 6}, {4, 7}}),
               "found halves that 1-WL tells apart");
}

// ----- csl -----

Graph ring(int nodes, int skip) {
  std::vector<Edge> edges;
  for (int place = 0; place < nodes; ++place) {
    edges.push_back({place, (place + 1) % nodes});
    edges.push_back({place, (place + skip) % nodes});
  }
  return Graph(nodes, std::move(edges));
}

void expect_ring(const Witness& witness, const std::string& detail) {
  const DataSet data = alone("csl", 1, ring(10, 3), witness, sound("csl", 0));
  if (detail.empty()) {
    EXPECT_EQ(listed(verified(data)), "");
  } else {
    expect_only(data, "all/it", "witness", detail);
  }
}

TEST(VerifyCsl, Witness) {
  Witness right = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {}};
  for (int place = 0; place < 9; ++place) right.edges.push_back({place, place + 1});
  right.edges.insert(right.edges.begin() + 1, Edge{0, 9});
  expect_ring(right, "");
  expect_ring({}, "found none");

  Witness wrong = right;
  std::erase(wrong.edges, Edge{4, 5});
  expect_ring(wrong, "found 10 nodes and 9 edges, expected a ring through all 10 nodes");
  // 0-7 is a skip link.
  wrong.edges.insert(wrong.edges.begin() + 1, Edge{0, 7});
  expect_ring(wrong, "the ring breaks at node 4");
  wrong.edges = {{0, 1}, {0, 3}, {1, 2}, {2, 3}, {4, 5}, {4, 7}, {5, 6}, {6, 9}, {7, 8}, {8, 9}};
  expect_ring(wrong, "the ring closes early, at node 0");
  // Through all nodes, but not so that the other edges are skips: 0-1-2-3-6-5-4-7-8-9.
  wrong.edges = {{0, 1}, {0, 9}, {1, 2}, {2, 3}, {3, 6}, {4, 5}, {4, 7}, {5, 6}, {7, 8}, {8, 9}};
  expect_ring(wrong, "places apart on the ring and not joined");
}

TEST(VerifyCsl, Class) {
  const auto expect_class = [](int label, const Graph& graph, const std::string& detail) {
    expect_only(alone("csl", label, graph, {}, sound("csl", 1 - label)), "all/it", "class", detail);
  };
  expect_class(0, ring(10, 3),
               "found a ring with links 3 places on, expected a ring with links 2 "
               "places on in class 0");
  expect_class(0, ring(12, 4), "found no ring with such skip links");
  expect_class(0, ring(7, 3), "found a ring with links of either skip");
  expect_class(1, Graph(3, {{0, 1}}), "found no ring with such skip links");
}

}  // namespace
}  // namespace bermuda
