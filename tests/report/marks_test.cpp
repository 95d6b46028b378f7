// Intervals, comparisons and the marks that follow from them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "table_fixture.hpp"

namespace bermuda {
namespace {

using testing::HasSubstr;

using MarksTest = TableTest;

TEST_F(MarksTest, OneRunIsJudgedByItsGraphs) {
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

TEST_F(MarksTest, IsomorphicGraphsCountAsOne) {
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

TEST_F(MarksTest, IntervalsKnowOfRunsAndOfGraphs) {
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

TEST_F(MarksTest, RunsAreComparedWhereBothHaveThem) {
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

TEST_F(MarksTest, TheBestHasAsManyRunsAsTheOthers) {
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

TEST_F(MarksTest, HolmCountsTheComparisonsWithTheBestOnly) {
  // Told apart from the best with p = 0.0277; one comparison more would make 0.055 of it.
  add("best", 0, 0);
  add("near", 0, 4);
  EXPECT_EQ(cell(table(), 1).mark, CellMark::kNone);
  add("other", 0, 3);
  EXPECT_EQ(cell(table(), 1).mark, CellMark::kSame);
  EXPECT_NEAR(table().comparisons[0].p[0][1], 3 * 0.0366, 0.03);
}

TEST_F(MarksTest, FoldsOfPooledDataAreComparedOverFolds) {
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

TEST_F(MarksTest, SeedsOfAPooledFoldCountOnce) {
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

TEST_F(MarksTest, AConstantDifferenceIsNoProof) {
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

TEST_F(MarksTest, TheMetricOfTheTableIsCompared) {
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

TEST_F(MarksTest, OtherGraphsInTheSamePlacesAreNotCompared) {
  add("a", 0, 30);
  for (Answer& answer : add("b", 0, 2).result.answers) answer.truth = 1 - answer.truth;
  EXPECT_TRUE(table().comparisons.empty() || std::isnan(table().comparisons[0].p[0][1]));
  EXPECT_EQ(cell(table(), 0).mark, CellMark::kNone);
}

TEST_F(MarksTest, FewRunsAreComparedWhereTheBestHasThem) {
  // On the one fold that both have "single" is far ahead, though the mean of "four" is higher.
  for (int fold = 0; fold < 4; ++fold) add("four", fold, fold == 0 ? 67 : 0);
  add("single", 0, 25);
  ResultTable made = table();
  for (const TableRow& row : made.rows) EXPECT_EQ(row.cells[0].mark, CellMark::kNone);
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("ahead of the best of those on the runs")));
  EXPECT_THAT(findings(made)[0], HasSubstr("four is ahead of 1 other with 83.2 % test accuracy in "
                                           "4 runs, but one with fewer runs is ahead where"));
  // And one whose only fold is an easy one keeps nobody from being the best.
  records_.runs.clear();
  records_.grids[0].entries.clear();
  for (int fold = 0; fold < 4; ++fold) add("four", fold, fold == 0 ? 0 : 60);
  add("single", 0, 25);
  made = table();
  EXPECT_EQ(cell(made, 0).mark, CellMark::kBest);
  EXPECT_EQ(cell(made, 1).mark, CellMark::kNone);
}

TEST_F(MarksTest, AFewGraphsWrongAreNoNarrowerThanNone) {
  for (int fold = 0; fold < 4; ++fold) {
    add("once", fold, fold == 0 ? 1 : 0);
    add("never", fold, 0);
    add("always", fold, kGraphs - (fold == 0 ? 1 : 0));
  }
  const ResultTable made = table();
  EXPECT_LE(cell(made, 0).low, cell(made, 1).low);
  EXPECT_NEAR(cell(made, 1).low, 96.3, 0.1);
  EXPECT_EQ(cell(made, 0).high, 100);
  EXPECT_EQ(cell(made, 2).low, 0);
  EXPECT_NEAR(cell(made, 2).high, 3.7, 0.1);
}

TEST_F(MarksTest, WhoCannotBeComparedIsNamed) {
  for (int fold = 0; fold < 3; ++fold) add("a", fold, 10);
  add("elsewhere", 7, 20);
  EXPECT_THAT(table().notes, testing::Contains("Too few runs in common with the best to be "
                                               "compared: elsewhere (tri)."));
}

}  // namespace
}  // namespace bermuda
