#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bermuda/report/table.hpp"

namespace bermuda {

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

}  // namespace bermuda
