#include "bermuda/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/report/table_maps.hpp"

namespace bermuda {
namespace {

using testing::HasSubstr;

/// A grid on one data set of 100 test graphs; the truth alternates.
class TableTest : public testing::Test {
 protected:
  TableTest() {
    records_.grids.emplace_back();
    records_.grids[0].grid.title = "T_1";
    records_.grids[0].grid.published["tri"] = {{"a", 75.0}, {"b", 99.0}};
  }

  static constexpr int kGraphs = 100;

  /// Answers of graphs from `first` on, those among the first `wrong` wrong.
  static void answer(int first, int wrong, Metrics& test, std::vector<Answer>& answers) {
    test.count = kGraphs;
    test.accuracy = static_cast<double>(kGraphs - wrong) / kGraphs;
    test.confusion = {{0, 0}, {0, 0}};
    answers.clear();
    for (int place = 0; place < kGraphs; ++place) {
      const int truth = place % 2;
      const int said = place < wrong ? 1 - truth : truth;
      answers.push_back({first + place, said, truth});
      ++test.confusion[static_cast<std::size_t>(truth)][static_cast<std::size_t>(said)];
    }
    const auto hits = static_cast<double>(test.confusion[1][1]);
    const auto marked = static_cast<double>(test.confusion[1][0] + test.confusion[0][1]);
    test.positive_f1 = test.macro_f1 = 2 * hits / (2 * hits + marked);
  }

  /// A run that is wrong on the first `wrong` graphs.
  RunRecord& add(const std::string& row, int fold, int wrong, RunState state = RunState::kDone,
                 std::uint64_t seed = 1) {
    const auto id = static_cast<std::int64_t>(records_.runs.size()) + 1;
    RunRecord run;
    run.id = id;
    run.key = row + std::to_string(fold) + "," + std::to_string(seed);
    run.spec.method = row;
    run.spec.data = "tri";
    run.spec.fold = fold;
    run.spec.seed = seed;
    run.state = state;
    run.result.train_graphs = 900;
    answer(0, wrong, run.result.test, run.result.answers);
    records_.grids[0].entries.push_back({row, "tri", fold, seed, id});
    return records_.runs.emplace(id, run).first->second;
  }

  /// The same on graphs that no other fold tests on.
  RunRecord& add_pooled(const std::string& row, int fold, int wrong, std::uint64_t seed = 1) {
    RunRecord& run = add(row, fold, wrong, RunState::kDone, seed);
    answer(kGraphs * fold, wrong, run.result.test, run.result.answers);
    return run;
  }

  ResultTable table(WhichEpoch epoch = WhichEpoch::kKept) const {
    return make_table(records_, records_.grids[0], epoch);
  }
  const TableCell& cell(const ResultTable& table, std::size_t row) const {
    return table.rows[row].cells[0];
  }

  Records records_;
};

TEST_F(TableTest, OneRunIsJudgedByItsGraphs) {
  add("a", 0, 30);
  add("b", 0, 2);
  add("c", 0, 4);
  const ResultTable made = table();
  EXPECT_DOUBLE_EQ(cell(made, 0).mean, 70);
  EXPECT_TRUE(std::isnan(cell(made, 0).deviation));
  EXPECT_NEAR(cell(made, 0).low, 61, 1);  // 1.96 deviations of 4.6 points
  EXPECT_NEAR(cell(made, 0).high, 79, 1);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kSame);  // two graphs only
  ASSERT_EQ(made.comparisons.size(), 2U);
  EXPECT_EQ(made.comparisons[0].test, "two-way bootstrap");
  // No draw without any of 28 graphs: the least p there is, times the number of pairs.
  EXPECT_NEAR(made.comparisons[0].p[0][1], 3 * 2.0 / 10001, 1e-12);
  EXPECT_EQ(made.comparisons[1].test, "McNemar");
  // 28 graphs differ: p = 2 / 2^28, times the number of pairs.
  EXPECT_NEAR(made.comparisons[1].p[0][1], 3 * std::pow(2.0, -27), 1e-15);
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("two-way bootstrap test, p > 0.05 after")));
}

TEST_F(TableTest, IsomorphicGraphsCountAsOne) {
  add("a", 0, 20);
  add("b", 0, 0);
  const ResultTable apart = table();
  std::vector<int> wrong(20);  // all that a has wrong is one graph, twenty times
  std::iota(wrong.begin(), wrong.end(), 0);
  records_.twins[""] = {wrong};  // the checksum of these runs' data
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 0).mean, 80);
  EXPECT_EQ(cell(apart, 0).mark, CellMark::kNone);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kSame);
  EXPECT_NEAR(cell(apart, 0).low, 72, 1);
  EXPECT_NEAR(cell(made, 0).low, 100 * 78 / 138.0, 0.1);  // three times the twenty, 78 right ones
  // Of 81 graphs that differ b has all right: Wilson's interval of so many.
  EXPECT_NEAR(cell(made, 1).low, 100 * 81 / (81 + 3.8415), 0.01);
  EXPECT_NEAR(apart.comparisons[1].p[0][1], std::pow(2.0, -19), 1e-12);
  EXPECT_EQ(made.comparisons[1].test, "McNemar");
  EXPECT_EQ(made.comparisons[1].p[0][1], 1);
  // They travel with an exported file, which is refused where they make no sense.
  auto exported = export_json(records_);
  EXPECT_EQ(parse_export(exported.dump(), "file").twins, records_.twins);
  for (const char* twins : {R"({"": [[1]]})", R"({"": [[1, 2], [2, 3]]})", R"({"": [[-1, 2]]})",
                            R"({"": [3, 4]})", R"([])", R"({"": {"a": [1, 2]}})"}) {
    exported["twins"] = nlohmann::ordered_json::parse(twins);
    EXPECT_THROW(parse_export(exported.dump(), "file"), InputError) << twins;
  }
}

TEST_F(TableTest, FindingsSayWhatTheTableSays) {
  add("a", 0, 30);
  EXPECT_EQ(findings(table()).at(0),
            "On tri, a reaches 70.0 % test accuracy in 1 run; giving all graphs one class reaches "
            "50.0 %.");
  add("b", 0, 2);
  add("c", 0, 4);
  EXPECT_EQ(findings(table()), std::vector<std::string>(
                                   {"On tri, b is the best of 3 methods with 98.0 % test accuracy "
                                    "in 1 run; c does not differ from it significantly; giving "
                                    "all graphs one class reaches 50.0 %."}));
  for (const char* more : {"d", "e", "f", "g", "h"}) add(more, 0, 3);
  EXPECT_THAT(findings(table())[0], HasSubstr("; c, d, e, f and 2 more do not differ from it"));
}

TEST_F(TableTest, FindingsDoNotPromiseMoreThanRunsShow) {
  EXPECT_TRUE(findings(table()).empty());
  add("a", 0, 0, RunState::kWaiting);
  EXPECT_EQ(findings(table())[0], "On tri no run is done yet.");
  add("blind", 0, 50);
  EXPECT_THAT(findings(table())[0], HasSubstr(", no better than chance: giving all graphs one"));
  add("poor", 0, 48);
  EXPECT_THAT(findings(table())[0], HasSubstr("which its 95 % interval does not exclude."));
  add("lucky", 0, 2);
  for (int fold = 1; fold < 4; ++fold) {
    add("blind", fold, 50);
    add("poor", fold, 48);
  }
  EXPECT_THAT(findings(table())[0],
              HasSubstr("lucky is ahead of 2 others with 98.0 % test accuracy in 1 run, but has"));
}

TEST_F(TableTest, OneClassIsTheBestOfAllConstantAnswers) {
  RunRecord& run = add("a", 0, 0);
  run.result.test.confusion = {{60, 0, 0}, {0, 30, 0}, {0, 0, 10}};
  GridRecord& grid = records_.grids[0].grid;
  EXPECT_DOUBLE_EQ(table().one_class.at(0), 60);
  grid.metric = TableMetric::kMacroF1;
  EXPECT_DOUBLE_EQ(table().one_class.at(0), 100 * (120.0 / 160) / 3);
  grid.metric = TableMetric::kPositiveF1;
  EXPECT_DOUBLE_EQ(table().one_class.at(0), 100 * 20.0 / 110);
  EXPECT_DOUBLE_EQ(table_json(table())["one_class"][0], 100 * 20.0 / 110);
}

TEST_F(TableTest, IntervalsKnowOfRunsAndOfGraphs) {
  for (int fold = 0; fold < 10; ++fold) {
    add("steady", fold, 30);
    add("unsteady", fold, fold < 5 ? 10 : 50);
    add("perfect", fold, 0);
  }
  const ResultTable made = table();
  EXPECT_NEAR(cell(made, 0).low, 61, 1) << "ten equal runs know no more graphs than one";
  EXPECT_NEAR(cell(made, 0).high, 79, 1);
  EXPECT_DOUBLE_EQ(cell(made, 1).mean, 70);
  EXPECT_LT(cell(made, 1).low, 58);  // deviations of 4.6 by graphs and 6.7 by runs
  EXPECT_GT(cell(made, 1).high, 82);
  EXPECT_EQ(cell(made, 2).high, 100);
  EXPECT_NEAR(cell(made, 2).low, 96.3, 0.1) << "Wilson's, for draws find no wrong answer";
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kBest);
}

TEST_F(TableTest, RunsAreComparedWhereBothHaveThem) {
  for (int fold = 0; fold < 3; ++fold) {
    add("a", fold, 30 + fold);
    add("b", fold, 2 + fold);
    add("c", fold, 4 - fold);
  }
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 0).runs.size(), 3U);
  EXPECT_DOUBLE_EQ(cell(made, 0).mean, 69);
  EXPECT_DOUBLE_EQ(cell(made, 0).deviation, 1);
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kSame);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  ASSERT_EQ(made.comparisons.size(), 2U);
  EXPECT_EQ(made.comparisons[0].test, "two-way bootstrap") << "one test split, whatever the folds";
}

TEST_F(TableTest, TheBestHasAsManyRunsAsTheOthers) {
  for (int fold = 0; fold < 3; ++fold) {
    add("a", fold, 30);
    add("b", fold, 10);
  }
  add("lucky", 1, 9);
  add("elsewhere", 7, 20);
  add("poor", 2, 60);
  ResultTable made = table();
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kSame) << "ahead by one graph of one run";
  EXPECT_EQ(cell(made, 3).mark, CellMark::kNone) << "no run in common, nothing to say";
  EXPECT_EQ(cell(made, 4).mark, CellMark::kNone);
  EXPECT_TRUE(std::isnan(made.comparisons[0].p[3][0]));
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("of those with the most runs")));
  add("better", 1, 0);
  made = table();
  for (const TableRow& row : made.rows) EXPECT_EQ(row.cells[0].mark, CellMark::kNone);
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("In tri no method is marked: one with")));
}

TEST_F(TableTest, HolmCountsTheComparisonsWithTheBestOnly) {
  // Told apart from the best with p = 0.0277; one comparison more would make 0.055 of it.
  add("best", 0, 0);
  add("near", 0, 4);
  EXPECT_EQ(cell(table(), 1).mark, CellMark::kNone);
  add("other", 0, 3);
  EXPECT_EQ(cell(table(), 1).mark, CellMark::kSame);
  EXPECT_NEAR(table().comparisons[0].p[0][1], 3 * 0.0366, 0.03);
}

TEST_F(TableTest, FoldsOfPooledDataAreComparedOverFolds) {
  for (int fold = 0; fold < 5; ++fold) {
    add_pooled("a", fold, 30 + fold % 2);
    add_pooled("b", fold, 5 + (fold + 1) % 3);
  }
  const ResultTable made = table();
  EXPECT_EQ(made.comparisons[0].test, "corrected resampled t");
  EXPECT_LT(made.comparisons[0].p[0][1], 1e-4);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  // 69.6 with 0.548 over folds: 2.776 sqrt(1/5 + 1/9) 0.548.
  EXPECT_NEAR(cell(made, 0).low, 69.6 - 0.848, 0.001);
  EXPECT_NEAR(cell(made, 0).high, 69.6 + 0.848, 0.001);
}

TEST_F(TableTest, SeedsOfAPooledFoldCountOnce) {
  for (int fold = 0; fold < 5; ++fold) {
    add_pooled("a", fold, 30 + fold % 2 - 6, 1);
    add_pooled("a", fold, 30 + fold % 2 + 6, 2);
    add_pooled("b", fold, 20 + fold % 3, 1);
    add_pooled("b", fold, 20 + fold % 3, 2);
  }
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 0).runs.size(), 10U);
  EXPECT_NEAR(cell(made, 0).low, 69.6 - 0.848, 0.001) << "as of five runs with their means";
  EXPECT_NEAR(cell(made, 0).deviation, 6.3, 0.1) << "over all runs";
  EXPECT_NEAR(made.comparisons[0].p[0][1], 1.1225e-4, 1e-8) << "of five differences, by SciPy";
}

TEST_F(TableTest, AConstantDifferenceIsNoProof) {
  for (int fold = 0; fold < 5; ++fold) {
    add_pooled("a", fold, 1);
    add_pooled("b", fold, 0);
    add_pooled("c", fold, 40);
  }
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  const double p = made.comparisons[0].p[0][1];
  EXPECT_GT(p, 0) << "by the graphs of the folds";
  EXPECT_EQ(made.comparisons[0].test, "two-way bootstrap");
  EXPECT_GT(made.comparisons[0].p[1][2], 0);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kNone);
}

TEST_F(TableTest, TheMetricOfTheTableIsCompared) {
  records_.grids[0].grid.metric = TableMetric::kPositiveF1;
  // Both have 20 graphs wrong, one of them only of class 1: the same accuracy, not the same F1.
  for (int fold = 0; fold < 3; ++fold) {
    add("a", fold, 20);
    RunRecord& run = add("b", fold, 0);
    for (Answer& answer : run.result.answers) {
      if (answer.truth == 1 && answer.place < 40) answer.said = 0;
    }
    run.result.test = {kGraphs, 0.8, 0.79, 60.0 / 80, {{50, 0}, {20, 30}}};
  }
  const ResultTable made = table();
  EXPECT_DOUBLE_EQ(cell(made, 0).mean, 80);
  EXPECT_DOUBLE_EQ(cell(made, 1).mean, 75);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kBest);
  EXPECT_LT(made.comparisons[0].p[0][1], 0.6);
  EXPECT_EQ(made.comparisons[1].p[0][1], 1) << "McNemar counts right answers";
  EXPECT_LT(cell(made, 1).low, 70);
  EXPECT_GT(cell(made, 1).high, 80);
}

TEST_F(TableTest, OtherGraphsInTheSamePlacesAreNotCompared) {
  add("a", 0, 30);
  for (Answer& answer : add("b", 0, 2).result.answers) answer.truth = 1 - answer.truth;
  EXPECT_TRUE(table().comparisons.empty() || std::isnan(table().comparisons[0].p[0][1]));
  EXPECT_EQ(cell(table(), 0).mark, CellMark::kNone);
}

TEST_F(TableTest, TheLastEpochCountsWhereItIsAskedFor) {
  for (int fold = 0; fold < 2; ++fold) {
    RunRecord& run = add("a", fold, 10);
    run.result.epochs = 5;
    LastEpoch& last = run.result.last.emplace();
    answer(0, 40, last.test, last.answers);
    add("b", fold, 20);                    // one epoch: the last is the kept one
    add("c", fold, 30).result.epochs = 3;  // not known
  }
  EXPECT_DOUBLE_EQ(cell(table(), 0).mean, 90);
  EXPECT_THAT(table_text(table()), HasSubstr("the epoch that validation kept"));
  EXPECT_EQ(cell(table(), 2).runs.size(), 2U);
  const ResultTable last = table(WhichEpoch::kLast);
  EXPECT_DOUBLE_EQ(cell(last, 0).mean, 60);
  EXPECT_LT(cell(last, 0).high, 75);
  EXPECT_EQ(cell(last, 1).mark, CellMark::kBest);
  EXPECT_TRUE(cell(last, 2).runs.empty());
  EXPECT_THAT(table_text(last), HasSubstr("Of each run counts the last epoch.\n"));
  EXPECT_THAT(table_text(last), HasSubstr("2 runs are left out: an earlier version did not"));
}

TEST_F(TableTest, DeadNetworksAreNamed) {
  for (int fold = 0; fold < 3; ++fold) {
    add("dead", fold, 50).result.test.confusion = {{50, 0}, {50, 0}};
    add("alive", fold, 40);
    add("once", fold, 50).result.test.confusion = {{0, 50}, {fold > 0 ? 25U : 0U, 25}};
  }
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 0).one_class, 3U);
  EXPECT_TRUE(cell(made, 0).is_dead());
  EXPECT_FALSE(cell(made, 1).is_dead());
  EXPECT_EQ(cell(made, 2).one_class, 1U);
  EXPECT_FALSE(cell(made, 2).is_dead()) << "one run of three";
  EXPECT_THAT(table_text(made), HasSubstr("50.0 ± 0.0†"));
  EXPECT_THAT(table_text(made), HasSubstr("† gives all graphs one class, in most of its runs.\n"));
  EXPECT_THAT(table_latex(made), HasSubstr("50.0 $\\pm$ 0.0$^{\\dagger}$"));
  EXPECT_THAT(table_latex(made), HasSubstr(" $\\dagger$ gives all"));
  EXPECT_EQ(table_json(made)["rows"][0]["cells"][0]["one_class"], 3);
  // Of graphs that are all of one class this is no fault.
  for (auto& [id, run] : records_.runs) run.result.test.confusion = {{100, 0}, {0, 0}};
  EXPECT_FALSE(cell(table(), 0).is_dead());
}

TEST_F(TableTest, WhatFailedOrWaitsIsSaid) {
  add("a", 0, 30);
  add("a", 1, 30, RunState::kWaiting);
  add("b", 0, 2, RunState::kFailed);
  const ResultTable made = table();
  EXPECT_TRUE(cell(made, 1).runs.empty());
  EXPECT_THAT(table_text(made), HasSubstr("failed"));
  EXPECT_THAT(table_text(made), HasSubstr("1 run is not done yet."));
}

TEST_F(TableTest, IsWrittenInThreeWays) {
  add("a", 0, 30);
  add("b", 0, 2);
  const ResultTable made = table();
  EXPECT_THAT(table_text(made), HasSubstr("a       70.0     75.0        -5.0\n"));
  EXPECT_THAT(table_text(made), HasSubstr("b       98.0 *   99.0        -1.0\n"));
  EXPECT_THAT(table_markdown(made), HasSubstr("| `b` | 98.0 \\* | 99.0 | -1.0 |\n"));
  EXPECT_THAT(table_markdown(made), HasSubstr("|---|--:|--:|--:|\n"));
  EXPECT_THAT(table_latex(made), HasSubstr("b & 98.0$^{*}$ & 99.0 & -1.0 \\\\\n"));
  EXPECT_THAT(table_latex(made), HasSubstr("T\\_1"));
}

TEST_F(TableTest, AnExportedFileMakesTheSameTable) {
  for (int fold = 0; fold < 3; ++fold) {
    add("a", fold, 30 + fold);
    add("b", fold, 2 + fold);
  }
  const std::string text = export_json(records_).dump();
  const Records again = parse_export(text, "file");
  EXPECT_EQ(table_text(make_table(again, again.grids[0])), table_text(table()));
  EXPECT_EQ(export_json(again).dump(), text);
}

TEST_F(TableTest, ShowsWhatWasAskedBeside) {
  add("a", 0, 10).result.asked = {{"twins", {40, 0.75, 0.7, 0.8, {{20, 0}, {10, 10}}}, 10, {}},
                                  {"again", {300, 1, 1, 1, {{150, 0}, {0, 150}}}, {}, 30}};
  add("b", 0, 50);
  const ResultTable table = make_table(records_, records_.grids[0]);
  ASSERT_EQ(table.asked.size(), 2U);
  EXPECT_EQ(table.asked[1].kind, AskedColumn::Kind::kRenumbered);
  const AskedFigure& twins = *table.rows[0].cells[0].asked[0];
  EXPECT_EQ(twins.mean, 50);
  EXPECT_EQ(twins.accuracy, 75);
  EXPECT_NEAR(twins.low, 29.9, 0.1);  // Wilson's, of 10 in 20
  EXPECT_EQ(table.rows[0].cells[0].asked[1]->mean, 10);
  EXPECT_FALSE(table.rows[1].cells[0].asked[0]);
  EXPECT_THAT(table_text(table), HasSubstr("twins: pairs with both right, % (chance 25)\nmethod   "
                                           "tri\na       50.0\nb\n"));
  EXPECT_THAT(table_markdown(table), HasSubstr("| `a` | 50.0 |\n| `b` |  |\n"));
  const auto json = table_json(table);
  EXPECT_EQ(json.at("asked").at(0).at("key"), "both_right");
  EXPECT_EQ(json.at("rows").at(0).at("cells").at(0).at("asked").at("again").at("figure"), 10);
  EXPECT_FALSE(json.at("rows").at(1).at("cells").at(0).contains("asked"));
}

TEST_F(TableTest, BecomesHeatMaps) {
  add("a", 0, 10).result.asked = {{"twins", {40, 0.75, 0.7, 0.8, {{20, 0}, {10, 10}}}, 10, {}},
                                  {"again", {300, 1, 1, 1, {{150, 0}, {0, 150}}}, {}, 30}};
  add("b<", 0, 50);
  const std::vector<HeatMap> maps = table_maps(make_table(records_, records_.grids[0]));
  ASSERT_EQ(maps.size(), 2U) << "test graphs and twins, not renumbered ones";
  EXPECT_EQ(maps[0].low, 50);
  EXPECT_EQ(maps[0].cells[0][0].value, 90);
  EXPECT_EQ(maps[1].low, 25);
  EXPECT_EQ(maps[1].cells[0][0].text, "50");
  EXPECT_THAT(maps[1].cells[0][0].hover, HasSubstr("75.0 % of single graphs right"));
  EXPECT_FALSE(maps[1].cells[1][0].value);
  const std::string svg = stacked_maps_svg(maps);
  EXPECT_THAT(svg, testing::StartsWith("<?xml"));
  EXPECT_THAT(svg, HasSubstr("<svg y=\"0\" xmlns"));
  EXPECT_THAT(svg, testing::Not(HasSubstr("b<<")));
  EXPECT_THROW(stacked_maps_svg({}), Error);
}

}  // namespace
}  // namespace bermuda
