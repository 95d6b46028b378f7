#include "bermuda/probe/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <type_traits>

#include "audit_data.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/controls.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "shared_data.hpp"

namespace bermuda {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

AuditReport audit(const DataSet& data, int threads = 1) {
  Execution execution;
  execution.threads = threads;
  return audit_dataset(data, {}, execution);
}

template <typename Value>
AuditOptions with(Value AuditOptions::*option, std::type_identity_t<Value> value) {
  AuditOptions options;
  options.*option = value;
  return options;
}

const ProbeResult& probe(const AuditReport& report, std::string_view name) {
  const ProbeResult* found = report.find(name);
  if (found == nullptr) throw Error("no probe " + std::string(name));
  return *found;
}

std::vector<std::string> names(const AuditReport& report) {
  std::vector<std::string> result;
  for (const ProbeResult& found : report.probes) result.push_back(found.name);
  return result;
}

TEST(Audit, LadderRisesFromSizeToGraphletsWithNodeIndexLast) {
  EXPECT_THAT(names(audit(test::degrees_decide(20))),
              ElementsAre("size", "degrees", "degree-pairs", "wl-1", "wl-2", "wl-3", "graphlets-3",
                          "graphlets-4", "graphlets-5", "node-index"));
}

TEST(Audit, OptionsSetTheHeightOfTheLadder) {
  AuditOptions options;
  options.parameters().get("folds").set("5");
  options.parameters().get("wl-rounds").set("1");
  options.parameters().get("graphlets").set("3");
  const AuditReport report = audit_dataset(test::degrees_decide(20), options, {});
  EXPECT_THAT(names(report),
              ElementsAre("size", "degrees", "degree-pairs", "wl-1", "graphlets-3", "node-index"));
  EXPECT_EQ(report.folds, 5);
}

TEST(Audit, SizeProbeFindsClassesThatAreSizes) {
  const AuditReport report = audit(test::sizes_decide(2, 60));
  EXPECT_GT(probe(report, "size").accuracy, 0.97);
  EXPECT_TRUE(probe(report, "size").beats_majority);
  EXPECT_DOUBLE_EQ(report.majority, 0.5);
  EXPECT_FALSE(report.node_index.leaks);
  EXPECT_THAT(report.summary, HasSubstr("not about topology"));
}

TEST(Audit, MoreThanTwoClasses) {
  const AuditReport report = audit(test::sizes_decide(4, 40));
  EXPECT_GT(probe(report, "size").accuracy, 0.9);
  EXPECT_GT(probe(report, "size").macro_f1, 0.9);
  EXPECT_DOUBLE_EQ(report.majority, 0.25);
  EXPECT_THAT(report.class_counts, ElementsAre(40, 40, 40, 40));
}

TEST(Audit, DegreesTellPathsFromStarsWhereSizeDoesNot) {
  const AuditReport report = audit(test::degrees_decide(60));
  EXPECT_FALSE(probe(report, "size").beats_majority);
  EXPECT_DOUBLE_EQ(probe(report, "degrees").accuracy, 1.0);
  EXPECT_DOUBLE_EQ(probe(report, "degree-pairs").accuracy, 1.0);
}

TEST(Audit, GraphletsSeeATriangleThatDegreesAndWlColoursCannot) {
  const AuditReport report = audit(test::triangles_decide(60));
  for (const char* blind : {"size", "degrees", "degree-pairs", "wl-1", "wl-2", "wl-3"}) {
    EXPECT_FALSE(probe(report, blind).beats_majority) << blind;
  }
  for (const char* seeing : {"graphlets-3", "graphlets-4", "graphlets-5"}) {
    EXPECT_DOUBLE_EQ(probe(report, seeing).accuracy, 1.0) << seeing;
  }
  // All nodes have degree 2: one colour from round 1 on, and every size has both classes.
  ASSERT_EQ(report.wl.size(), 4u);
  EXPECT_TRUE(report.wl_stable);
  EXPECT_EQ(report.wl.back().histograms, 8u);
  EXPECT_EQ(report.wl.back().conflicting, 120u);
  EXPECT_DOUBLE_EQ(report.wl.back().best_accuracy, 0.5);
  EXPECT_THAT(report.summary, HasSubstr("The probe graphlets-3 solves it"));
}

TEST(Audit, WlVerdictStopsAtTheRoundThatSeparates) {
  // From round 1 on, paths and stars differ; sizes repeat, so histograms are fewer than graphs.
  const AuditReport report = audit(test::degrees_decide(60));
  EXPECT_EQ(report.wl[0].conflicting, 120u);
  EXPECT_EQ(report.wl[0].histograms, 8u);
  EXPECT_EQ(report.wl[1].conflicting, 0u);
  EXPECT_EQ(report.wl[1].histograms, 16u);
  EXPECT_DOUBLE_EQ(report.wl[1].best_accuracy, 1.0);
  EXPECT_EQ(report.wl.size(), 4u);
}

TEST(Audit, WlVerdictGoesOnWhileColoursSplit) {
  // Two long paths, labelled at one end and in the middle or one off it: only deep rounds see it.
  const auto marked_path = [](int mark) {
    std::vector<int> labels(17, 0);
    labels[0] = 1;
    labels[static_cast<std::size_t>(mark)] = 2;
    return Graph(17, test::path(17).edges(), labels);
  };
  const DataSet data =
      test::data_set({test::sample(0, marked_path(8)), test::sample(0, marked_path(8)),
                      test::sample(1, marked_path(9)), test::sample(1, marked_path(9))});
  const AuditReport report = audit_dataset(data, with(&AuditOptions::wl_rounds, 1), {});
  ASSERT_GT(report.wl.size(), 2u);
  EXPECT_GT(report.wl[1].conflicting, 0u);
  EXPECT_EQ(report.wl.back().conflicting, 0u);
  EXPECT_EQ(report.wl[report.wl.size() - 2].conflicting, 4u);
}

TEST(Audit, WlVerdictStopsWhenAllButIsomorphicGraphsAreToldApart) {
  // The colours of a path of 17 nodes go on splitting, but only twins are left in conflict.
  const DataSet data =
      test::data_set({test::sample(0, test::path(17)), test::sample(1, test::path(17)),
                      test::sample(0, test::path(9)), test::sample(1, test::path(9))});
  const AuditReport report = audit_dataset(data, with(&AuditOptions::wl_rounds, 1), {});
  EXPECT_EQ(report.wl.size(), 2u);
  EXPECT_FALSE(report.wl_stable);
  EXPECT_EQ(report.isomorphism_classes, 2u);
}

TEST(Audit, WlColoursSeeEdgeLabels) {
  const Graph single(3, {{0, 1}, {1, 2}}, {}, {1, 1});
  const Graph twofold(3, {{0, 1}, {1, 2}}, {}, {1, 2});
  const AuditReport report =
      audit(test::data_set({test::sample(0, single), test::sample(0, single),
                            test::sample(1, twofold), test::sample(1, twofold)}));
  EXPECT_EQ(report.wl[0].conflicting, 4u);
  EXPECT_EQ(report.wl[1].conflicting, 0u);
  EXPECT_THAT(probe(report, "wl-1").description, HasSubstr("edge labels included"));
}

TEST(Audit, NodeIndexProbeFindsALeakingOrderAndShufflingTakesItAway) {
  const AuditReport report = audit(test::order_decides(60));
  EXPECT_DOUBLE_EQ(report.node_index.accuracy, 1.0);
  EXPECT_LT(report.node_index.shuffled_accuracy, 0.65);
  EXPECT_TRUE(report.node_index.leaks);
  EXPECT_GT(report.node_index.interval.low, 0.2);
  for (const ProbeResult& found : report.probes) {
    EXPECT_EQ(found.beats_majority, found.name == "node-index") << found.name;
  }
  // Same star in both classes: nothing that ignores node order can do better than guess.
  EXPECT_EQ(report.conflicting_labels, 120u);
  EXPECT_DOUBLE_EQ(report.isomorphism_ceiling, 0.5);
}

TEST(Audit, NothingIsFoundWhereNothingIs) {
  const AuditReport report = audit(test::nothing_decides(200));
  for (const ProbeResult& found : report.probes) EXPECT_FALSE(found.beats_majority) << found.name;
  EXPECT_FALSE(report.node_index.leaks);
  EXPECT_THAT(report.summary, HasSubstr("No probe that ignores node order beats the majority"));
}

TEST(Audit, CountsIsomorphsAndConflicts) {
  DataSet data =
      test::data_set({test::sample(0, test::star(4, 0)), test::sample(0, test::star(4, 2)),
                      test::sample(1, test::path(4)), test::sample(1, test::path(5))});
  data.splits[0].name = "train";
  data.splits.push_back({"test",
                         {test::sample(1, test::star(4, 3)), test::sample(0, test::path(6)),
                          test::sample(1, test::path(5))}});
  const AuditReport report = audit_dataset(data, with(&AuditOptions::folds, 2), {});
  EXPECT_EQ(report.isomorph_groups, 2u);     // three stars of 4, two paths of 5
  EXPECT_EQ(report.duplicates_within, 1u);   // the second star
  EXPECT_EQ(report.duplicates_across, 2u);   // star and path of the test split
  EXPECT_EQ(report.conflicting_labels, 3u);  // all three stars
  EXPECT_DOUBLE_EQ(report.isomorphism_ceiling, 6.0 / 7.0);
  EXPECT_THAT(report.summary, HasSubstr("2 graphs (28.6 %) have an isomorphic twin in an earlier"));
}

TEST(Audit, SaysWhatGroupedFoldsWouldChange) {
  // Eleven stars of 4 do not fit into one of ten stratified folds; all paths differ.
  std::vector<Sample> samples;
  for (int i = 0; i < 11; ++i) samples.push_back(test::sample(0, test::star(4, i % 4)));
  for (int i = 0; i < 12; ++i) samples.push_back(test::sample(1, test::path(3 + i)));
  DataSet data = test::data_set(samples);
  EXPECT_EQ(audit(data).twins_across_folds, 11u);
  data.splits.push_back({"test", data.splits[0].samples});
  data.splits[0].name = "train";
  EXPECT_EQ(audit(data).twins_across_folds, std::nullopt) << "its folds are grouped";
  samples.resize(15);
  EXPECT_EQ(audit(test::data_set(samples)).twins_across_folds, std::nullopt) << "too few for ten";
}

TEST(Audit, SameReportForAnyNumberOfThreads) {
  const DataSet data = test::sizes_decide(3, 40);
  EXPECT_EQ(to_json(audit(data, 1)).dump(), to_json(audit(data, 2)).dump());
}

TEST(Audit, AnotherSeedMakesOtherFolds) {
  const DataSet data = test::nothing_decides(100);
  const AuditReport one = audit_dataset(data, with(&AuditOptions::seed, 1), {});
  const AuditReport two = audit_dataset(data, with(&AuditOptions::seed, 2), {});
  EXPECT_NE(to_json(one)["probes"].dump(), to_json(two)["probes"].dump());
}

TEST(Audit, FewGraphsMeanFewerFoldsAndANote) {
  const AuditReport report = audit(test::degrees_decide(4));
  EXPECT_EQ(report.folds, 4);
  EXPECT_THAT(report.notes, Contains("4 folds instead of 10: the smallest class has 4 graphs"));
  EXPECT_THAT(audit(test::degrees_decide(10)).notes, IsEmpty());
}

TEST(Audit, OnlyTheProbeOfNodeAttributesSeesThem) {
  DataSet data = test::nothing_decides(120);
  for (Sample& sample : data.splits[0].samples) {
    const auto nodes = static_cast<std::size_t>(sample.graph.node_count());
    std::vector<double> values(2 * nodes);
    for (std::size_t v = 0; v < nodes; ++v) {
      values[2 * v] = 1e6 + static_cast<double>(v);
      values[2 * v + 1] = sample.label == 1 ? 0.25 : 0.75;
    }
    sample.graph.set_attributes(2, std::move(values));
  }
  const AuditReport report = audit(data);
  EXPECT_DOUBLE_EQ(probe(report, "node-attributes").accuracy, 1.0);
  EXPECT_EQ(probe(report, "node-attributes").kind, ProbeKind::kCounts);
  for (const ProbeResult& found : report.probes) {
    EXPECT_EQ(found.beats_majority, found.name == "node-attributes") << found.name;
  }
  EXPECT_THAT(report.summary, HasSubstr("the probe node-attributes alone solves it"));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("leave node attributes aside")));
}

TEST(Audit, GraphsWithoutAttributesMayStandBesideOthers) {
  DataSet data = test::degrees_decide(20);
  data.splits[0].samples[0].graph.set_attributes(1, std::vector<double>(6, 1.0));
  EXPECT_NE(audit(data).find("node-attributes"), nullptr);
}

TEST(Audit, TellingFeaturesAreThoseThatDecide) {
  const AuditReport report =
      audit_dataset(test::triangles_decide(60), with(&AuditOptions::telling, 3), {});
  ASSERT_EQ(report.telling.size(), 1u);  // no other kind of probe beats the majority class
  EXPECT_EQ(report.telling[0].probe, "graphlets-3");
  const TellingFeature& first = report.telling[0].features.at(0);
  EXPECT_EQ(first.words, "triangle");
  EXPECT_EQ(first.speaks, "for 1");
  EXPECT_GT(first.pull, 0);
  EXPECT_THAT(first.graphs, ElementsAre(0, 60));
  EXPECT_THAT(first.mean, ElementsAre(0, 1));
  EXPECT_EQ(first.picture.edge_count(), 3);
  EXPECT_EQ(to_json(report)["telling"][0]["features"][0]["words"], "triangle");
  EXPECT_THAT(audit(test::triangles_decide(10)).telling, IsEmpty());
}

TEST(Audit, TellingFeaturesOfDegreesAndColoursAreDrawn) {
  const AuditReport report =
      audit_dataset(test::degrees_decide(60), with(&AuditOptions::telling, 4), {});
  ASSERT_EQ(report.telling.size(), 3u);
  for (const TellingProbe& found : report.telling) {
    for (const TellingFeature& feature : found.features) {
      EXPECT_FALSE(feature.words.empty());
      EXPECT_EQ(feature.graphs.size(), 2u);
      if (feature.picture.node_count() == 0) continue;
      EXPECT_EQ(feature.picture.edge_count(), feature.picture.node_count() - 1) << feature.words;
      EXPECT_FALSE(feature.marked.nodes.empty()) << feature.words;
    }
  }
}

TEST(Audit, ShortcutsSeeNoStructure) {
  const auto shortcut = [](const DataSet& data) {
    return *audit_dataset(data, with(&AuditOptions::max_shortcut, 70.0), {}).shortcut;
  };
  EXPECT_FALSE(shortcut(test::nothing_decides(120)).exceeded());
  EXPECT_EQ(shortcut(test::sizes_decide(2, 40)).probe, "size");
  EXPECT_TRUE(shortcut(test::order_decides(20)).exceeded());
  EXPECT_EQ(shortcut(test::order_decides(20)).probe, "node-index");
  // Graphlets see all of it, and are no shortcut.
  DataSet triangles = test::triangles_decide(60);
  shuffle_nodes(triangles, 1);
  EXPECT_FALSE(shortcut(triangles).exceeded());
  EXPECT_FALSE(audit(triangles).shortcut.has_value());
}

TEST(Audit, WeakestProbeThatIsAsGoodAsTheBestIsNamed) {
  const AuditReport report = audit(test::degrees_decide(60));
  EXPECT_EQ(report.weakest_as_good()->name, "degrees");
  EXPECT_EQ(report.best()->accuracy, 1.0);
  EXPECT_EQ(effect_of(*probe(report, "size").behind_best), Effect::kStrong);
  EXPECT_EQ(probe(report, "wl-2").behind_best->value, 0);
  EXPECT_FALSE(probe(report, "node-index").behind_best.has_value());
}

TEST(Audit, DenseGraphsDoNotHangTheGraphletProbes) {
  DataSet data = test::degrees_decide(4);
  data.splits[0].samples.push_back(test::sample(1, test::star(700, 0)));
  const AuditReport report = audit(data);
  EXPECT_NE(report.find("graphlets-4"), nullptr);
  EXPECT_EQ(report.find("graphlets-5"), nullptr);
  EXPECT_THAT(report.notes, Contains(HasSubstr("graphlets of 5 nodes are left out")));
}

TEST(Audit, RefusesWhatCannotBeAudited) {
  const auto message = [](const DataSet& data, const AuditOptions& options) -> std::string {
    try {
      audit_dataset(data, options, {});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  const DataSet good = test::degrees_decide(3);
  DataSet unknown = good;
  unknown.splits[0].samples[0].label = Sample::kNoClass;
  EXPECT_THAT(message(unknown, {}), HasSubstr("without a class"));
  EXPECT_THAT(message(test::data_set({}), {}), HasSubstr("graphs of 0 classes"));
  EXPECT_THAT(
      message(test::data_set({test::sample(0, test::path(3)), test::sample(0, test::path(4))}), {}),
      HasSubstr("graphs of 1 class,"));
  EXPECT_THAT(
      message(test::data_set({test::sample(0, test::path(3)), test::sample(0, test::path(4)),
                              test::sample(1, test::path(4))}),
              {}),
      HasSubstr("'1' has 1 graph"));
  EXPECT_EQ(message(good, with(&AuditOptions::folds, 1)), "--folds: found 1, expected 2..100");
  EXPECT_EQ(message(good, with(&AuditOptions::wl_rounds, -1)),
            "--wl-rounds: found -1, expected 1..10");
  EXPECT_EQ(message(good, with(&AuditOptions::largest_graphlet, 6)),
            "--graphlets: found 6, expected 3..5");
}

TEST(Audit, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Execution execution;
  execution.stop = &stop;
  EXPECT_THROW(audit_dataset(test::degrees_decide(10), {}, execution), Interrupted);
}

TEST(Audit, ProgressNamesTheProbes) {
  struct Names : ProgressSink {
    void begin(std::string_view what, std::size_t) override { seen.emplace_back(what); }
    void advance(std::size_t) override {}
    void end() override {}
    std::vector<std::string> seen;
  } sink;
  Execution execution;
  execution.progress = &sink;
  audit_dataset(test::degrees_decide(10), {}, execution);
  for (const char* stage : {"isomorphs", "WL colours", "size", "wl-3", "graphlets-5", "node-index",
                            "node-index shuffled"}) {
    EXPECT_THAT(sink.seen, Contains(stage));
  }
}

TEST(Audit, FindsTheReleasedCliqueOrderAndNothingInShuffledOnes) {
  for (const char* order : {"released", "shuffled"}) {
    const auto task = make_task("clique-distance");
    task->parameters().get("node-order").set(order);
    const AuditReport report = audit(generate_candidates(*task, 1, 600, {}));
    EXPECT_EQ(report.node_order, order);
    const bool leaking = report.node_order == "released";
    EXPECT_EQ(report.node_index.leaks, leaking) << order;
    EXPECT_EQ(report.node_index.accuracy > 0.9, leaking) << order;
  }
}

TEST(Audit, ThreeNodeGraphletsSolveTriangles) {
  const auto task = make_task("triangles");
  const AuditReport report = audit(generate_candidates(*task, 1, 600, {}));
  EXPECT_GT(probe(report, "graphlets-3").accuracy, 0.99);
  EXPECT_LT(probe(report, "degree-pairs").accuracy, 0.85);
  EXPECT_FALSE(report.node_index.leaks);
  EXPECT_EQ(report.node_order, "unknown");
}

TEST(Audit, MutagNodeLabelsAloneGetAboveEightyPercent) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const AuditReport report = audit(read_dataset(shared / "TU" / "MUTAG"));
  EXPECT_EQ(report.graphs, 188u);
  EXPECT_GT(probe(report, "node-labels").accuracy, 0.8);
  EXPECT_TRUE(probe(report, "node-labels").beats_majority);
}

TEST(Audit, ReleasedCliqueSplitLeaksItsNodeOrder) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const AuditReport report = audit(read_dataset(shared / "released" / "clique"));
  EXPECT_TRUE(report.node_index.leaks);
  EXPECT_GT(report.node_index.difference, 0.3);
}

}  // namespace
}  // namespace bermuda
