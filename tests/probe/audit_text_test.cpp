#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "../../src/probe/ladder.hpp"
#include "audit_data.hpp"
#include "bermuda/probe/audit.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// What the ladder says of one of its probes.
ProbeInfo words_of(std::string_view name) {
  const std::vector<std::vector<std::vector<int>>> colours;
  const AuditOptions options;
  const LadderInput input{{}, colours, options, true, false};
  Ladder ladder = make_ladder(input);
  ladder.rungs.push_back(make_node_index_rung(input, false));
  return *std::ranges::find(ladder.rungs, name, &Rung::name);
}

ProbeResult rung(const ProbeInfo& words, double accuracy, double half_width = 0.03,
                 double majority = 0.5) {
  ProbeResult result{words};
  result.accuracy = accuracy;
  result.interval = {accuracy - half_width, std::min(1.0, accuracy + half_width)};
  result.effect = effect_of(accuracy - majority,
                            {result.interval.low - majority, result.interval.high - majority});
  result.beats_majority = result.interval.low > majority;
  result.below_majority = result.interval.high < majority;
  return result;
}

ProbeResult rung(std::string_view name, double accuracy) { return rung(words_of(name), accuracy); }

/// As if the paired intervals of differences between probes were 2 points to both sides.
void compare(AuditReport& report) {
  for (ProbeResult& probe : report.probes) {
    if (probe.kind == ProbeKind::kNodeOrder) continue;
    const double behind = report.best()->accuracy - probe.accuracy;
    probe.behind_best = Difference{behind, {behind - 0.02, behind + 0.02}, 0};
  }
}

/// A balanced data set of 1000 graphs on which the probes score as given.
AuditReport report_of(double size, double degree_pairs, double wl, double graphlets) {
  AuditReport report;
  report.name = "made-up";
  report.graphs = 1000;
  report.classes = {"0", "1"};
  report.class_counts = {500, 500};
  report.majority = 0.5;
  report.folds = 10;
  report.node_order = "unknown";
  report.probes = {
      rung("size", size), rung("degrees", size),          rung("degree-pairs", degree_pairs),
      rung("wl-3", wl),   rung("graphlets-5", graphlets), rung("node-index", degree_pairs)};
  report.node_index = {degree_pairs, degree_pairs, 0, {-0.02, 0.02}, Effect::kNone, false};
  report.wl = {{0, 20, 990, 0.55}, {1, 900, 0, 1.0}};
  report.isomorphism_classes = 950;
  report.isomorphism_ceiling = 1;
  compare(report);
  return report;
}

TEST(AuditSummary, CountsSolveIt) {
  const std::string text = summarise(report_of(0.6, 0.995, 1.0, 1.0));
  EXPECT_THAT(
      text,
      StartsWith("This data set is not about topology: the probe degree-pairs alone "
                 "solves it (99.5 %; majority class 50.0 %), so a model needs counts of degree "
                 "pairs and nothing else"));
}

TEST(AuditSummary, StructureSolvesIt) {
  const std::string text = summarise(report_of(0.51, 0.53, 0.58, 1.0));
  EXPECT_THAT(text,
              StartsWith("The probe graphlets-5 solves it (100.0 %; majority class 50.0 %), while "
                         "every probe below it stays at 58.0 % or less: a model must see connected "
                         "subgraphs of up to 5 nodes"));
}

TEST(AuditSummary, WeakestSolverIsNamed) {
  EXPECT_THAT(summarise(report_of(0.51, 0.53, 0.99, 1.0)),
              StartsWith("The probe wl-3 solves it (99.0 %"));
}

TEST(AuditSummary, WeakestThatIsNotFoundToBeWorseIsNamed) {
  EXPECT_THAT(summarise(report_of(0.6, 0.967, 0.98, 0.982)),
              StartsWith("This data set is not about topology: the probe degree-pairs alone solves "
                         "it (96.7 %; majority class 50.0 %) and no probe is found to be better "
                         "(the best is graphlets-5, 98.2 %: +1.5 points, -0.5 to +3.5), so"));
  EXPECT_THAT(summarise(report_of(0.51, 0.53, 0.967, 0.982)),
              StartsWith("The probe wl-3 solves it (96.7 %; majority class 50.0 %) and no probe is "
                         "found to be better (the best is graphlets-5"));
  EXPECT_THAT(summarise(report_of(0.51, 0.53, 0.94, 0.982)),
              StartsWith("The probe graphlets-5 solves it (98.2 %"));
}

TEST(AuditSummary, OneThatDoesNotBeatTheMajorityIsNeverEnough) {
  const AuditReport report = report_of(0.51, 0.525, 0.535, 0.53);
  EXPECT_EQ(report.weakest_as_good()->name, "wl-3");
}

TEST(AuditSummary, AsGoodStructureIsNamedBesideTheBest) {
  EXPECT_THAT(summarise(report_of(0.62, 0.67, 0.84, 0.85)),
              HasSubstr("graphlets-5 reaches 85.0 % (+18.0 points, +16.0 to +20.0), and wl-3 "
                        "(84.0 %) is as good for all that this sample shows. To beat"));
}

TEST(AuditSummary, StructureHelpsWhereCountsDoNot) {
  const std::string text = summarise(report_of(0.50, 0.52, 0.70, 0.60));
  EXPECT_THAT(text,
              StartsWith("Sizes, degrees and degree pairs do not help (at most 52.0 %; "
                         "majority class 50.0 %). The weakest probe that does is wl-3 (70.0 %), "
                         "the best is wl-3 (70.0 %). To beat the probes a model must get above "
                         "73.0 %, and see deeper surroundings than 3 steps"));
  AuditReport report = report_of(0.50, 0.52, 0.70, 0.60);
  report.probes[3] = rung("wl-1", 0.70);
  compare(report);
  EXPECT_THAT(summarise(report), HasSubstr("deeper surroundings than 1 step,"));
}

TEST(AuditSummary, LabelsAreNamedWhereThereAreAny) {
  AuditReport report = report_of(0.50, 0.52, 0.70, 0.60);
  report.probes.insert(report.probes.begin() + 3, rung("node-labels", 0.51));
  EXPECT_THAT(
      summarise(report),
      StartsWith("Sizes, degrees, degree pairs and node labels do not help (at most 52.0 %"));
}

TEST(AuditSummary, StructureHelpsBeyondCounts) {
  const std::string text = summarise(report_of(0.62, 0.67, 0.75, 0.85));
  EXPECT_THAT(text,
              StartsWith("Part of it needs no topology: size beats the majority class (50.0 %) "
                         "with 62.0 %, and counts of degree pairs get 67.0 %. Structure beyond "
                         "that has a strong effect: graphlets-5 reaches 85.0 % (+18.0 points, "
                         "+16.0 to +20.0). To beat"));
  EXPECT_THAT(text, HasSubstr("larger subgraphs than 5 nodes"));
  EXPECT_THAT(summarise(report_of(0.62, 0.61, 0.75, 0.85)),
              HasSubstr("with 62.0 %. Structure beyond that has a strong effect"));
}

TEST(AuditSummary, StructureAddsNothing) {
  const std::string text = summarise(report_of(0.62, 0.87, 0.885, 0.86));
  EXPECT_THAT(text, StartsWith("What the probes find needs no topology: counts of degree pairs get "
                               "87.0 % (majority class 50.0 %)"));
  EXPECT_THAT(text, HasSubstr("no probe is found to be better (the best is wl-3, 88.5 %: +1.5"));
  EXPECT_THAT(text, HasSubstr("stays below 91.5 % has not shown that it sees topology"));
}

TEST(AuditSummary, NothingBeatsTheMajority) {
  EXPECT_THAT(summarise(report_of(0.51, 0.50, 0.49, 0.52)),
              StartsWith("No probe that ignores node order beats the majority class (50.0 %): a "
                         "model that does must see more than sizes, degrees, degree pairs, WL "
                         "colours and small subgraphs offer to a linear model"));
}

TEST(AuditSummary, SaysOfANewProbeWhatTheProbeSaysOfItself) {
  AuditReport report = report_of(0.50, 0.52, 0.51, 0.50);
  report.probes.insert(report.probes.begin() + 3, rung({.name = "leaves",
                                                        .kind = ProbeKind::kCounts,
                                                        .subject = "numbers of leaves",
                                                        .sees = "counts of leaves"},
                                                       0.51));
  report.probes.insert(report.probes.end() - 1, rung({.name = "cycles",
                                                      .kind = ProbeKind::kStructure,
                                                      .subject = "lengths of cycles",
                                                      .sees = "short cycles",
                                                      .beyond = "how cycles are joined"},
                                                     0.80));
  compare(report);
  EXPECT_THAT(summarise(report),
              StartsWith("Sizes, degrees, degree pairs and numbers of leaves do not help (at most "
                         "52.0 %; majority class 50.0 %). The weakest probe that does is cycles "
                         "(80.0 %), the best is cycles (80.0 %). To beat the probes a model must "
                         "get above 83.0 %, and see how cycles are joined."));
  report.probes[3] = rung(report.probes[3], 0.99);
  compare(report);
  EXPECT_THAT(summarise(report), HasSubstr("so a model needs counts of leaves and nothing else"));
  report.probes[3] = rung(report.probes[3], 0.51);
  report.probes[6] = rung(report.probes[6], 0.99);
  compare(report);
  EXPECT_THAT(summarise(report), HasSubstr("a model must see short cycles, and"));
}

TEST(AuditSummary, FilteredDataShowsBelowTheMajority) {
  EXPECT_THAT(
      summarise(report_of(0.48, 0.44, 0.70, 0.60)),
      HasSubstr(
          "The probe degree-pairs does worse than the majority class (44.0 %), as happens where "
          "graphs that such a model answers rightly were filtered out"));
  EXPECT_THAT(summarise(report_of(0.48, 0.49, 0.70, 0.60)), Not(HasSubstr("filtered out")));
}

TEST(AuditSummary, WlVerdictInWords) {
  AuditReport report = report_of(0.5, 0.5, 0.7, 0.6);
  EXPECT_THAT(summarise(report),
              HasSubstr("a function of the WL colours after 1 round; the evidence for more than "
                        "that is thin where few graphs share colours (here 50 of 950 "));
  report.wl.back().histograms = 950;
  EXPECT_THAT(summarise(report),
              HasSubstr("After 1 round WL colours tell all non-isomorphic graphs of "
                        "this sample apart, so it cannot show"));
  report.wl.back().conflicting = 6;
  EXPECT_THAT(summarise(report), HasSubstr("so message passing can see here whatever another"));
  report.wl = {{0, 20, 990, 0.55}, {1, 40, 80, 0.96}};
  EXPECT_THAT(summarise(report), HasSubstr("after 1 round 80 graphs share"));
  EXPECT_THAT(summarise(report), HasSubstr("message passing of 1 layer without node ids cannot "
                                           "exceed 96.0 %"));
  report.wl_stable = true;
  EXPECT_THAT(summarise(report),
              HasSubstr("message passing without node ids cannot exceed 96.0 %"));
}

TEST(AuditSummary, NodeOrderInWords) {
  AuditReport report = report_of(0.5, 0.5, 0.7, 0.6);
  EXPECT_THAT(summarise(report),
              HasSubstr("Node order: no effect found (50.0 % in the order of the file, 50.0 % "
                        "with shuffled nodes: +0.0 points, -2.0 to +2.0)."));
  report.node_index = {0.95, 0.53, 0.42, {0.38, 0.46}, Effect::kStrong, true};
  EXPECT_THAT(summarise(report),
              HasSubstr("Node order has a strong effect: the node-index probe gets 95.0 % in the "
                        "order of the file, 53.0 % with shuffled nodes: +42.0 points, +38.0 to "
                        "+46.0; shuffle the nodes"));
  EXPECT_THAT(to_text(report), HasSubstr("a strong effect\n"));
  report.node_index.effect = Effect::kHint;
  EXPECT_THAT(summarise(report), HasSubstr("Node order has a hint of an effect"));
}

TEST(AuditSummary, DuplicatesInWords) {
  AuditReport report = report_of(0.5, 0.5, 0.7, 0.6);
  report.duplicates_within = 40;
  EXPECT_THAT(summarise(report), Not(HasSubstr("up to isomorphism")));
  report.duplicates_within = 50;
  EXPECT_THAT(summarise(report),
              HasSubstr("50 graphs (5.0 %) repeat another one up to isomorphism, so there are "
                        "fewer different graphs than it seems."));
  report.twins_across_folds = 60;
  EXPECT_THAT(summarise(report), HasSubstr("so memory lifts every score of folds that share"));
  report.duplicates_across = 80;
  EXPECT_THAT(summarise(report),
              HasSubstr("80 graphs (8.0 %) have an isomorphic twin in an earlier "
                        "split"));
  report.conflicting_labels = 6;
  report.isomorphism_ceiling = 0.997;
  EXPECT_THAT(summarise(report), HasSubstr("6 graphs have an isomorphic twin of another class: no "
                                           "model that treats isomorphic graphs alike can exceed "
                                           "99.7 %"));
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TEST(AuditText, TableMarksTheMajority) {
  AuditReport report = report_of(0.5, 0.4, 0.7, 0.6);
  report.probes[3].features = 123;
  report.probes[3].macro_f1 = 0.685;
  const std::string text = to_text(report);
  EXPECT_THAT(text,
              StartsWith("Audit of made-up: 1000 graphs, 2 classes (0: 500, 1: 500), majority "
                         "50.0 %\n"));
  EXPECT_THAT(text, HasSubstr("\nwl-3                 123    70.0 %   67.0 -  73.0      68.5    "
                              "##########|####...... strong\n"));
  EXPECT_THAT(text, HasSubstr("########..|.......... below\n"));
  EXPECT_THAT(text, HasSubstr("##########|..........\n"));
}

TEST(AuditText, SaysWhatGroupedFoldsWouldChange) {
  AuditReport report = report_of(0.51, 0.53, 0.58, 1.0);
  EXPECT_THAT(to_text(report), Not(HasSubstr("--folding")));
  EXPECT_TRUE(to_json(report)["isomorphs"]["twins_across_folds"].is_null());
  report.twins_across_folds = 0;
  EXPECT_THAT(to_text(report), Not(HasSubstr("--folding")));
  report.twins_across_folds = 70;
  EXPECT_THAT(to_text(report), HasSubstr("70 of 1000 graphs have an isomorphic twin in another"));
  EXPECT_THAT(to_text(report), HasSubstr("--folding"));
  EXPECT_EQ(to_json(report)["isomorphs"]["twins_across_folds"], 70);
}

TEST(AuditText, FitsAHundredColumns) {
  AuditReport report = audit_dataset(test::sizes_decide(4, 20), {}, {});
  report.name = std::string(150, 'x');
  report.classes[0] = std::string(120, 'y');
  EXPECT_LE(widest_line(to_text(report)), 100u);
}

TEST(AuditText, ManyClassesAreCutShort) {
  AuditReport report = report_of(0.5, 0.5, 0.7, 0.6);
  for (int label = 2; label < 100; ++label) {
    report.classes.push_back(std::to_string(label));
    report.class_counts.push_back(5);
  }
  EXPECT_THAT(to_text(report), HasSubstr("100 classes (0: 500, 1: 500, 2: 5"));
  EXPECT_THAT(to_text(report), HasSubstr("11: 5, ...)"));
}

TEST(AuditText, NotesAndDescriptionsAreShown) {
  const std::string text = to_text(audit_dataset(test::degrees_decide(4), {}, {}));
  EXPECT_THAT(text, HasSubstr("\nNote: 4 folds instead of 10"));
  EXPECT_THAT(text, HasSubstr("\n  degree-pairs    degrees, and how many edges join each pair"));
}

TEST(AuditJson, HoldsEverythingAProgramWouldRead) {
  const nlohmann::ordered_json json = to_json(audit_dataset(test::order_decides(30), {}, {}));
  EXPECT_EQ(json["graphs"], 60);
  EXPECT_EQ(json["folds"], 10);
  EXPECT_EQ(json["node_order"], "unknown");
  EXPECT_EQ(json["probes"].size(), 10u);
  EXPECT_EQ(json["probes"][0]["name"], "size");
  EXPECT_EQ(json["probes"][9]["accuracy"], 1.0);
  EXPECT_EQ(json["probes"][9]["interval"].size(), 2u);
  EXPECT_EQ(json["probes"][0]["kind"], "counts");
  EXPECT_EQ(json["probes"][0]["effect"], "below");
  EXPECT_EQ(json["probes"][0]["behind_best"]["interval"].size(), 2u);
  EXPECT_EQ(json["probes"][9]["kind"], "order");
  EXPECT_TRUE(json["probes"][9]["behind_best"].is_null());
  EXPECT_EQ(json["best"], "size");
  EXPECT_EQ(json["weakest_as_good"], "size");
  EXPECT_EQ(json["node_index"]["effect"], "strong");
  EXPECT_EQ(json["node_index"]["leaks"], true);
  EXPECT_EQ(json["wl"]["rounds"][0]["round"], 0);
  EXPECT_EQ(json["isomorphs"]["conflicting_labels"], 60);
  EXPECT_FALSE(json["summary"].get<std::string>().empty());
}

}  // namespace
}  // namespace bermuda
