#include "bermuda/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "bermuda/core/error.hpp"
#include "verify/good_data.hpp"

namespace bermuda {
namespace {

using test::good_cliques;
using test::good_triangles;
using ::testing::HasSubstr;

VerifyReport verified(const DataSet& data, const VerifyOptions& options = {}) {
  return verify_dataset(data, options, {});
}

/// Problems as text, one a line: split/id kind: detail.
std::string listed(const VerifyReport& report) {
  std::string text;
  for (const Problem& problem : report.problems) {
    text += problem.split + "/" + problem.id + " " + problem.kind + ": " + problem.detail + "\n";
  }
  return text;
}

/// The data set has exactly one problem, at this place and of this kind, and it says this.
void expect_only(const DataSet& data, const std::string& where, const std::string& kind,
                 const std::string& detail, const VerifyOptions& options = {}) {
  const VerifyReport report = verified(data, options);
  EXPECT_EQ(report.problems.size(), 1u) << listed(report);
  EXPECT_THAT(listed(report), HasSubstr(where + " " + kind + ": ")) << detail;
  EXPECT_THAT(listed(report), HasSubstr(detail));
}

Sample& sample_of(DataSet& data, const std::string& id) {
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      if (sample.id == id) return sample;
    }
  }
  throw std::out_of_range(id);
}

void add_edge(Sample& sample, Edge edge) {
  std::vector<Edge> edges = sample.graph.edges();
  edges.push_back(edge);
  sample.graph = Graph(sample.graph.node_count(), std::move(edges));
}

TEST(Verify, GoodDataHasNoProblems) {
  const VerifyReport triangles = verified(good_triangles());
  EXPECT_EQ(listed(triangles), "");
  EXPECT_EQ(triangles.task, "triangles");
  EXPECT_EQ(triangles.graphs, 8u);
  EXPECT_EQ(triangles.classes_checked, 8u);
  EXPECT_EQ(triangles.witnesses_checked, 4u);
  EXPECT_EQ(triangles.isomorphs_within, 0u);
  EXPECT_EQ(triangles.isomorphs_across, 0u);
  EXPECT_FALSE(triangles.isomorphs_allowed);

  const VerifyReport cliques = verified(good_cliques());
  EXPECT_EQ(listed(cliques), "");
  EXPECT_EQ(cliques.classes_checked, 8u);
  EXPECT_EQ(cliques.witnesses_checked, 8u);
  EXPECT_EQ(listed(verified(good_cliques(3, 2))), "");
  EXPECT_EQ(listed(verified(good_cliques(6, 5))), "");
}

TEST(Verify, ForeignDataMayLackWitnessesAndBalance) {
  DataSet data = good_triangles();
  data.provenance.clear();
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) sample.witness = {};
  }
  data.splits[0].samples.erase(data.splits[0].samples.begin());
  VerifyReport report = verified(data);
  EXPECT_EQ(listed(report), "");
  EXPECT_EQ(report.task, "");
  EXPECT_EQ(report.classes_checked, 0u);

  VerifyOptions options;
  options.task = "triangles";
  report = verified(data, options);
  EXPECT_EQ(listed(report), "");
  EXPECT_EQ(report.task, "triangles");
  EXPECT_EQ(report.classes_checked, 7u);
  EXPECT_EQ(report.witnesses_checked, 0u);
}

TEST(Verify, TooManyOrTooFewTriangles) {
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

TEST(Verify, TriangleWitness) {
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

TEST(Verify, WitnessThatIsNotInTheGraph) {
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

TEST(Verify, CliquesAtTheWrongDistance) {
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

TEST(Verify, WrongNumberOfCliques) {
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

TEST(Verify, CliqueWitness) {
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

TEST(Verify, CliqueWitnessMayBeAnyShortestPath) {
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

TEST(Verify, Balance) {
  DataSet data = good_triangles();
  data.splits[1].samples.push_back(test::one_triangle("extra", 12));
  EXPECT_EQ(listed(verified(data)), "");  // odd: a difference of one is allowed
  data.splits[1].samples.push_back(test::one_triangle("more", 13));
  expect_only(data, "test/", "balance", "found 2 graphs of class 0 and 4 of class 1");
}

TEST(Verify, DuplicateIds) {
  DataSet data = good_triangles();
  sample_of(data, "free3").id = "one0";
  expect_only(data, "test/one0", "duplicate-id", "stands first in split train");
}

TEST(Verify, IsomorphsAcrossSplits) {
  DataSet data = good_triangles();
  std::vector<Edge> edges = sample_of(data, "free0").graph.edges();
  for (Edge& edge : edges) edge = {4 - edge.u, 4 - edge.v};
  sample_of(data, "free3").graph = Graph(5, edges);
  expect_only(data, "test/free3", "isomorph-across-splits",
              "found isomorphic graph free0 in split train");
  EXPECT_EQ(verified(data).isomorphs_across, 1u);

  data.provenance["filter"] = {{"allow_isomorphs", true}};
  const VerifyReport report = verified(data);
  EXPECT_EQ(listed(report), "");
  EXPECT_TRUE(report.isomorphs_allowed);
  EXPECT_EQ(report.isomorphs_across, 1u);
}

TEST(Verify, IsomorphsWithinASplitAreOnlyCounted) {
  DataSet data = good_triangles();
  sample_of(data, "free1").graph = sample_of(data, "free0").graph;
  const VerifyReport report = verified(data);
  EXPECT_EQ(listed(report), "");
  EXPECT_EQ(report.isomorphs_within, 1u);
  EXPECT_EQ(report.isomorphs_across, 0u);
}

TEST(Verify, Structure) {
  DataSet good = good_triangles();
  good.provenance.clear();

  DataSet data = good;
  sample_of(data, "free0").graph = Graph();
  expect_only(data, "train/free0", "structure", "found no node");

  data = good;
  sample_of(data, "free0").id.clear();
  expect_only(data, "train/", "structure", "found no id");

  data = good;
  sample_of(data, "free0").label = 2;
  expect_only(data, "train/free0", "structure", "found class 2, expected one of 2 classes");

  data = good;
  sample_of(data, "free0").label = -1;
  expect_only(data, "train/free0", "structure", "found class -1");

  data = good;
  data.splits.push_back({"valid", {}});
  expect_only(data, "valid/", "structure", "found no graph");

  data = good;
  data.splits[1].name = "train";
  expect_only(data, "train/", "structure", "found a second split of this name");

  data = good;
  sample_of(data, "free0").graph =
      Graph(5, sample_of(data, "free0").graph.edges(), {1, 2, 3, 4, 5});
  expect_only(data, "/", "structure", "found node labels in 1 of 8 graphs");

  data = good;
  sample_of(data, "free0").graph =
      Graph(5, sample_of(data, "free0").graph.edges(), {}, {1, 2, 3, 4});
  expect_only(data, "/", "structure", "found edge labels in 1 of 8 graphs");

  data = good;
  sample_of(data, "free0").graph.set_attributes(1, {1, 2, 3, 4, 5});
  expect_only(data, "/", "structure", "found different numbers of node attributes");
}

TEST(Verify, ParametersComeFromOptionsThenProvenance) {
  DataSet data = good_cliques(5, 3);
  EXPECT_EQ(listed(verified(data)), "");
  data.provenance.erase("parameters");
  EXPECT_THAT(listed(verified(data)), HasSubstr("class: "));
  VerifyOptions options;
  options.clique_size = 5;
  options.threshold = 3;
  EXPECT_EQ(listed(verified(data, options)), "");
}

TEST(Verify, NonsenseInTheManifest) {
  DataSet data = good_cliques();
  data.provenance["parameters"]["clique_size"] = "four";
  expect_only(data, "/", "manifest", "parameter clique_size: found '\"four\"'");
  data = good_cliques();
  data.provenance["parameters"]["threshold"] = 0;
  expect_only(data, "/", "manifest", "parameter threshold: found '0'");
  data = good_cliques();
  data.provenance["parameters"]["threshold"] = 18446744073709551615u;
  expect_only(data, "/", "manifest", "parameter threshold: found '18446744073709551615'");
  data = good_triangles();
  data.provenance["task"] = "squares";
  expect_only(data, "/", "manifest", "found task '\"squares\"', expected one of triangles");
  data.provenance["task"] = 7;
  expect_only(data, "/", "manifest", "found task '7'");
  data = good_cliques();
  data.provenance["parameters"] = "none";
  data.provenance["filter"] = 3;
  EXPECT_EQ(listed(verified(data)), "");
}

TEST(Verify, NonsenseFromTheCaller) {
  VerifyOptions options;
  options.task = "squares";
  EXPECT_THROW(verified(good_triangles(), options), UsageError);
  options.task = "clique-distance";
  options.clique_size = 1;
  EXPECT_THROW(verified(good_cliques(), options), UsageError);
  options.clique_size = 4;
  options.threshold = 0;
  EXPECT_THROW(verified(good_cliques(), options), UsageError);
}

TEST(Verify, GraphTooLargeForAMatrixIsSaidSo) {
  DataSet data = good_triangles();
  data.provenance.clear();
  sample_of(data, "free0") = test::triangle_free("free0", 5000);
  EXPECT_EQ(listed(verified(data)), "");
  VerifyOptions options;
  options.task = "triangles";
  expect_only(data, "train/free0", "class", "5000 nodes are too many to recount", options);
}

TEST(Verify, LargeCliquesAreFoundQuickly) { EXPECT_EQ(listed(verified(good_cliques(40, 4))), ""); }

TEST(Verify, ReportDoesNotDependOnThreads) {
  DataSet data = good_triangles();
  for (int i = 0; i < 2000; ++i) {
    data.splits[0].samples.push_back(test::triangle_free("f" + std::to_string(i), 9 + i % 50));
    Sample wrong = test::one_triangle("w" + std::to_string(i), 9 + i % 70);
    if (i % 3 == 0) wrong.witness.nodes[0] = 0;
    data.splits[i % 2 == 0 ? 0 : 1].samples.push_back(wrong);
  }
  const VerifyReport one = verified(data);
  EXPECT_GT(one.problems.size(), 500u);
  Execution execution;
  execution.threads = 4;
  const VerifyReport four = verify_dataset(data, {}, execution);
  EXPECT_EQ(listed(one), listed(four));
  EXPECT_EQ(one.isomorphs_within, four.isomorphs_within);
  EXPECT_EQ(one.witnesses_checked, four.witnesses_checked);
}

TEST(Verify, TellsProgressAndStops) {
  struct Counter : ProgressSink {
    void begin(std::string_view, std::size_t total) override { expected = total; }
    void advance(std::size_t count) override { done += count; }
    void end() override { ended = true; }
    std::size_t expected = 0;
    std::size_t done = 0;
    bool ended = false;
  } counter;
  std::atomic<bool> stop = false;
  Execution execution{1, &counter, &stop};
  verify_dataset(good_triangles(), {}, execution);
  EXPECT_EQ(counter.expected, 8u);
  EXPECT_EQ(counter.done, 8u);
  EXPECT_TRUE(counter.ended);
  stop = true;
  EXPECT_THROW(verify_dataset(good_triangles(), {}, execution), Interrupted);
}

}  // namespace
}  // namespace bermuda
