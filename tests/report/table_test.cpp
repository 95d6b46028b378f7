#include "bermuda/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/report/table_maps.hpp"
#include "table_fixture.hpp"

namespace bermuda {
namespace {

using testing::HasSubstr;

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
  EXPECT_THAT(table_text(last), HasSubstr("2 runs are left out: their last epoch was not"));
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
