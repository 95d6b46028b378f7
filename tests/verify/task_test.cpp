#include <gtest/gtest.h>

#include <algorithm>

#include "verify/expectations.hpp"
#include "verify/good_data.hpp"

namespace bermuda {
namespace {

using test::expect_only;
using test::good_cliques;
using test::good_triangles;
using test::listed;
using test::sample_of;
using test::verified;
using ::testing::HasSubstr;

void add_edge(Sample& sample, Edge edge) {
  std::vector<Edge> edges = sample.graph.edges();
  edges.push_back(edge);
  sample.graph = Graph(sample.graph.node_count(), std::move(edges));
}

TEST(VerifyTask, TooManyOrTooFewTriangles) {
  DataSet data = good_triangles();
  add_edge(sample_of(data, "free3"), {0, 2});
  expect_only(data, "test/free3", "class", "found 1 triangle, expected 0 triangles in class 0");

  data = good_triangles();
  add_edge(sample_of(data, "one0"), {0, 2});
  expect_only(data, "train/one0", "class", "found 2 triangles, expected 1 triangle in class 1");

  data = good_triangles();
  sample_of(data, "one1").graph = sample_of(data, "free1").graph;
  const VerifyReport report = verified(data);
  EXPECT_THAT(listed(report), HasSubstr("train/one1 class: found 0 triangles"));
}

TEST(VerifyTask, TriangleWitness) {
  DataSet data = good_triangles();
  sample_of(data, "one0").witness = {};
  expect_only(data, "train/one0", "witness", "found none");

  data = good_triangles();
  sample_of(data, "free0").witness = {{0, 1}, {{0, 1}}};
  expect_only(data, "train/free0", "witness", "found 2 nodes, expected none in this class");

  data = good_triangles();
  sample_of(data, "one0").witness = {{1, 2, 3}, {{1, 2}, {2, 3}}};
  expect_only(data, "train/one0", "witness", "edge 1-3 of the triangle 1-2-3 is missing");

  data = good_triangles();
  sample_of(data, "one0").witness = {{0, 1, 2}, {{0, 1}, {1, 2}}};
  expect_only(data, "train/one0", "witness", "node 3 of the triangle 1-2-3 is missing");

  data = good_triangles();
  sample_of(data, "one0").witness.nodes = {0, 1, 2, 3};
  expect_only(data, "train/one0", "witness", "found 1 node and 0 edges beside the triangle");

  data = good_triangles();
  sample_of(data, "one0").witness = {{1, 2, 3, 4}, {{1, 2}, {1, 3}, {2, 3}, {3, 4}}};
  expect_only(data, "train/one0", "witness", "found 1 node and 1 edge beside the triangle");
}

TEST(VerifyTask, WitnessThatIsNotInTheGraph) {
  // Also without a task: this needs no definition of a class.
  for (const bool with_task : {true, false}) {
    DataSet good = good_triangles();
    if (!with_task) good.provenance.clear();

    DataSet data = good;
    sample_of(data, "one0").witness = {{1, 2, 3}, {{0, 3}, {1, 2}, {2, 3}}};
    expect_only(data, "train/one0", "witness", "edge 0-3 is not in the graph");

    data = good;
    sample_of(data, "one0").witness.nodes = {1, 2, 5};
    expect_only(data, "train/one0", "witness", "node 5 in a graph of 5 nodes");

    data = good;
    sample_of(data, "one0").witness.nodes = {-1, 2, 3};
    expect_only(data, "train/one0", "witness", "node -1 in a graph of 5 nodes");

    data = good;
    sample_of(data, "one0").witness.nodes = {1, 3, 2};
    expect_only(data, "train/one0", "witness", "node 2 after 3, expected ascending nodes");

    data = good;
    sample_of(data, "one0").witness.nodes = {1, 2};
    expect_only(data, "train/one0", "witness", "edge 1-3 has an end that is not among the nodes");

    data = good;
    sample_of(data, "one0").witness.edges = {{1, 3}, {1, 2}, {2, 3}};
    expect_only(data, "train/one0", "witness", "edge 1-2 out of order");

    data = good;
    sample_of(data, "one0").witness.edges = {{2, 1}, {1, 3}, {2, 3}};
    expect_only(data, "train/one0", "witness", "edge 2-1 out of order");
  }
}

TEST(VerifyTask, CliquesAtTheWrongDistance) {
  DataSet data = good_cliques();
  sample_of(data, "far3").label = 0;
  sample_of(data, "near3").label = 1;
  const VerifyReport report = verified(data);
  EXPECT_EQ(listed(report),
            "test/near3 class: found cliques at distance 3, expected two disjoint cliques of 4 "
            "nodes at distance of at least 4 in class 1\n"
            "test/far3 class: found cliques at distance 4, expected two disjoint cliques of 4 "
            "nodes at distance below 4 in class 0\n");

  data = good_cliques();
  add_edge(sample_of(data, "far0"), {3, 7});
  expect_only(data, "train/far0", "class", "found cliques at distance 1");
}

TEST(VerifyTask, WrongNumberOfCliques) {
  DataSet data = good_cliques();
  Sample& broken = sample_of(data, "far2");
  std::vector<Edge> edges = broken.graph.edges();
  std::erase(edges, Edge{2, 3});
  broken.graph = Graph(broken.graph.node_count(), edges);
  expect_only(data, "test/far2", "class", "found 1 clique of 4 nodes");

  data = good_cliques();
  // Node 12, the end of the tail, joined to 1, 2 and 3 makes a third clique.
  for (const int v : {1, 2, 3}) add_edge(sample_of(data, "far2"), {v, 12});
  expect_only(data, "test/far2", "class", "found at least 3 cliques of 4 nodes");

  data = good_cliques();
  Sample& sharing = sample_of(data, "near0");
  std::vector<Edge> shared;
  test::add_clique(shared, 0, 4);
  test::add_clique(shared, 3, 4);
  sharing.graph = Graph(8, shared);
  sharing.witness = {};
  expect_only(data, "train/near0", "class", "found two cliques that share nodes");

  data = good_cliques();
  Sample& apart = sample_of(data, "far0");
  edges = apart.graph.edges();
  std::erase(edges, Edge{8, 9});
  apart.graph = Graph(apart.graph.node_count(), edges);
  expect_only(data, "train/far0", "class", "found two cliques that no path joins");
}

TEST(VerifyTask, CliqueWitness) {
  // far0: cliques 0-3 and 4-7, path 0-8-9-10-4.
  DataSet data = good_cliques();
  sample_of(data, "far0").witness = {};
  expect_only(data, "train/far0", "witness", "found none");

  data = good_cliques();
  std::erase(sample_of(data, "far0").witness.edges, Edge{1, 2});
  expect_only(data, "train/far0", "witness", "edge 1-2 of the clique 0-1-2-3 is missing");

  data = good_cliques();
  std::erase(sample_of(data, "far0").witness.edges, Edge{8, 9});
  expect_only(data, "train/far0", "witness", "found 3 edges outside the cliques");

  // far1 has a tail: node 11 hangs on node 1.
  data = good_cliques();
  sample_of(data, "far1").witness.nodes.push_back(11);
  expect_only(data, "train/far1", "witness", "node 11 is neither in a clique nor on the path");

  data = good_cliques();
  Witness& detour = sample_of(data, "far1").witness;
  std::erase(detour.edges, Edge{8, 9});
  detour.edges.insert(std::ranges::lower_bound(detour.edges, Edge{1, 11}), Edge{1, 11});
  detour.nodes.push_back(11);
  expect_only(data, "train/far1", "witness", "do not form a path");
}

TEST(VerifyTask, CliqueWitnessWhosePathLeadsElsewhere) {
  // The tail 1-11-12-13-14 is as long as the path.
  DataSet data = good_cliques();
  Sample& sample = sample_of(data, "far0");
  sample = test::two_cliques("far0", 4, 4);
  Witness wrong;
  test::add_clique(wrong.edges, 0, 4);
  test::add_clique(wrong.edges, 4, 4);
  const Witness cliques = wrong;
  wrong.edges.insert(wrong.edges.end(), {{1, 11}, {11, 12}, {12, 13}, {13, 14}});
  std::sort(wrong.edges.begin(), wrong.edges.end());
  wrong.nodes = {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14};
  sample.witness = wrong;
  expect_only(data, "train/far0", "witness", "the path ends at node 14");

  wrong = cliques;
  wrong.edges.insert(wrong.edges.end(), {{8, 9}, {9, 10}, {4, 10}, {11, 12}});
  std::sort(wrong.edges.begin(), wrong.edges.end());
  wrong.nodes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  sample.witness = wrong;
  expect_only(data, "train/far0", "witness", "leaves the first clique");
}

TEST(VerifyTask, CliqueWitnessMayBeAnyShortestPath) {
  // A second path of the same length: 1-11-12-13-5.
  DataSet data = good_cliques();
  Sample& sample = sample_of(data, "far0");
  std::vector<Edge> edges = sample.graph.edges();
  edges.insert(edges.end(), {{1, 11}, {11, 12}, {12, 13}, {5, 13}});
  sample.graph = Graph(14, edges);
  EXPECT_EQ(listed(verified(data)), "");
  Witness other;
  test::add_clique(other.edges, 0, 4);
  test::add_clique(other.edges, 4, 4);
  other.edges.insert(other.edges.end(), {{1, 11}, {11, 12}, {12, 13}, {5, 13}});
  std::sort(other.edges.begin(), other.edges.end());
  other.nodes = {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13};
  sample.witness = other;
  EXPECT_EQ(listed(verified(data)), "");
  // Half of one and half of the other is no path.
  std::erase(sample.witness.edges, Edge{12, 13});
  std::erase(sample.witness.edges, Edge{5, 13});
  sample.witness.edges.insert(std::ranges::lower_bound(sample.witness.edges, Edge{4, 10}),
                              Edge{4, 10});
  sample.witness.edges.insert(std::ranges::lower_bound(sample.witness.edges, Edge{9, 10}),
                              Edge{9, 10});
  sample.witness.nodes = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12};
  expect_only(data, "train/far0", "witness", "do not form a path");
}

}  // namespace
}  // namespace bermuda
