#include "bermuda/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "bermuda/core/error.hpp"
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

TEST(Verify, IsomorphsAreCountedWithinAndAcross) {
  DataSet data = good_triangles();
  for (const char* id : {"free2", "free3"}) {
    sample_of(data, id).graph = sample_of(data, "free0").graph;
  }
  const VerifyReport report = verified(data);
  EXPECT_EQ(report.isomorphs_across, 2u);
  EXPECT_EQ(report.isomorphs_within, 1u);
  EXPECT_EQ(report.problems.size(), 2u);
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

TEST(Verify, GraphsWithoutEdgesNeedNoEdgeLabels) {
  DataSet data = good_triangles();
  data.provenance.clear();
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      const Graph& graph = sample.graph;
      sample.graph =
          Graph(graph.node_count(), graph.edges(), {}, std::vector<int>(graph.edges().size(), 1));
    }
  }
  sample_of(data, "free0").graph = Graph(1, {});
  EXPECT_EQ(listed(verified(data)), "");
}

TEST(Verify, ParametersComeFromOptionsThenProvenance) {
  DataSet data = good_cliques(5, 3);
  EXPECT_EQ(listed(verified(data)), "");
  data.provenance.erase("parameters");
  EXPECT_THAT(listed(verified(data)), HasSubstr("class: "));
  VerifyOptions options;
  options.settings = {{"clique-size", "5"}, {"threshold", "3"}};
  EXPECT_EQ(listed(verified(data, options)), "");
}

TEST(Verify, SettingsOfOtherTasksArePassedOver) {
  VerifyOptions options;
  options.settings = {{"threshold", "9"}};
  EXPECT_EQ(listed(verified(good_triangles(), options)), "");
  EXPECT_THAT(listed(verified(good_cliques(), options)), HasSubstr("class: "));
}

TEST(Verify, ParametersThatTheDefinitionDoesNotHaveMayBeAnything) {
  DataSet data = good_cliques();
  for (const nlohmann::ordered_json& m : {nlohmann::ordered_json(0), nlohmann::ordered_json()}) {
    data.provenance["parameters"]["ba_m"] = m;  // 0 in older manifests: left open
    EXPECT_EQ(listed(verified(data)), "");
  }
}

TEST(Verify, NonsenseInTheManifest) {
  DataSet data = good_cliques();
  data.provenance["parameters"]["clique_size"] = "four";
  expect_only(data, "/", "manifest", "parameter clique_size: found '\"four\"', expected 3..50");
  for (const nlohmann::ordered_json& four :
       {nlohmann::ordered_json("4"), nlohmann::ordered_json(4.0), nlohmann::ordered_json(),
        nlohmann::ordered_json({4}), nlohmann::ordered_json(true)}) {
    data.provenance["parameters"]["clique_size"] = four;
    expect_only(data, "/", "manifest", "parameter clique_size: found '" + four.dump() + "'");
  }
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
  options.settings = {{"clique-size", "1"}};
  EXPECT_THROW(verified(good_cliques(), options), UsageError);
  EXPECT_THROW(verified(good_triangles(), options), UsageError) << "though it does not count there";
  options.settings = {{"clique-size", "4"}, {"threshold", "0"}};
  EXPECT_THROW(verified(good_cliques(), options), UsageError);
  options.settings = {{"squareness", "4"}};
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
    void begin(std::string_view what, std::size_t total) override {
      stages += std::string(what) + " ";
      expected += total;
    }
    void advance(std::size_t count) override { done += count; }
    void end() override { ++ended; }
    std::string stages;
    std::size_t expected = 0;
    std::size_t done = 0;
    int ended = 0;
  } counter;
  std::atomic<bool> stop = false;
  Execution execution{1, &counter, &stop};
  verify_dataset(good_triangles(), {}, execution);
  EXPECT_EQ(counter.stages, "verify isomorphs ");
  EXPECT_EQ(counter.expected, 16u);
  EXPECT_EQ(counter.done, 16u);
  EXPECT_EQ(counter.ended, 2);
  stop = true;
  EXPECT_THROW(verify_dataset(good_triangles(), {}, execution), Interrupted);
}

}  // namespace
}  // namespace bermuda
