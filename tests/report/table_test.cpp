#include "bermuda/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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

  /// A run that is wrong on the first `wrong` graphs.
  void add(const std::string& row, int fold, int wrong, RunState state = RunState::kDone) {
    const auto id = static_cast<std::int64_t>(records_.runs.size()) + 1;
    RunRecord run;
    run.id = id;
    run.key = row + std::to_string(fold);
    run.spec.method = row;
    run.spec.data = "tri";
    run.spec.fold = fold;
    run.state = state;
    run.result.train_graphs = 900;
    run.result.test.count = 100;
    run.result.test.accuracy = (100 - wrong) / 100.0;
    run.result.test.confusion = {{0, 0}, {0, 0}};
    for (int place = 0; place < 100; ++place) {
      const int truth = place % 2;
      const int said = place < wrong ? 1 - truth : truth;
      run.result.answers.push_back({place, said, truth});
      ++run.result.test.confusion[static_cast<std::size_t>(truth)][static_cast<std::size_t>(said)];
    }
    records_.runs.emplace(id, run);
    records_.grids[0].entries.push_back({row, "tri", fold, 1, id});
  }

  ResultTable table() const { return make_table(records_, records_.grids[0]); }
  const TableCell& cell(const ResultTable& table, std::size_t row) const {
    return table.rows[row].cells[0];
  }

  Records records_;
};

TEST_F(TableTest, OneFoldIsComparedByItsGraphs) {
  add("a", 0, 30);
  add("b", 0, 2);
  add("c", 0, 4);
  const ResultTable made = table();
  EXPECT_DOUBLE_EQ(cell(made, 0).mean, 70);
  EXPECT_TRUE(std::isnan(cell(made, 0).deviation));
  EXPECT_LT(cell(made, 0).low, 70);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kSame);  // two graphs only
  ASSERT_EQ(made.comparisons.size(), 1U);
  EXPECT_EQ(made.comparisons[0].test, "McNemar");
  // 28 graphs differ: p = 2 / 2^28, times the number of pairs.
  EXPECT_NEAR(made.comparisons[0].p[0][1], 3 * std::pow(2.0, -27), 1e-15);
}

TEST_F(TableTest, ThreeFoldsAreComparedOverFolds) {
  for (int fold = 0; fold < 3; ++fold) {
    add("a", fold, 30 + fold);
    add("b", fold, 2 + fold);
    add("c", fold, 4 - fold);
  }
  const ResultTable made = table();
  EXPECT_EQ(cell(made, 0).folds.size(), 3U);
  EXPECT_DOUBLE_EQ(cell(made, 0).mean, 69);
  EXPECT_DOUBLE_EQ(cell(made, 0).deviation, 1);
  EXPECT_EQ(cell(made, 1).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 2).mark, CellMark::kSame);
  EXPECT_EQ(cell(made, 0).mark, CellMark::kNone);
  EXPECT_EQ(made.comparisons.size(), 2U);
}

TEST_F(TableTest, WhatFailedOrWaitsIsSaid) {
  add("a", 0, 30);
  add("a", 1, 30, RunState::kWaiting);
  add("b", 0, 2, RunState::kFailed);
  const ResultTable made = table();
  EXPECT_TRUE(cell(made, 1).folds.empty());
  EXPECT_THAT(table_text(made), HasSubstr("failed"));
  EXPECT_THAT(table_text(made), HasSubstr("1 runs are not done yet."));
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

}  // namespace
}  // namespace bermuda
