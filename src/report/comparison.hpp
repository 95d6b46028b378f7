#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bermuda/report/table.hpp"
#include "bermuda/statistics/resampling.hpp"
#include "bermuda/statistics/significance.hpp"

namespace bermuda {

/// Fold and seed: runs of two methods are compared where they have both in common.
using FoldAndSeed = std::pair<int, std::uint64_t>;

/// A run as a table counts it: at one of its epochs, by one of its figures.
struct CountedRun {
  const RunResult* result = nullptr;
  const Metrics* test = nullptr;
  const std::vector<Answer>* answers = nullptr;  ///< may be empty: not every file has them
  double figure = 0;                             ///< 0..1
};

/// What a method did on one data set.
struct MethodRuns {
  std::string name;
  std::map<FoldAndSeed, CountedRun> runs;
};

struct PairTest {
  double p = 0;           ///< NaN where there is none
  double difference = 0;  ///< mean of the first less that of the second, on the runs in common
  std::string name = {};
};

/// Intervals and comparisons of one column. Where all runs answer the same graphs, they resample
/// runs and graphs (bootstrap_interval(), bootstrap_test()), isomorphic graphs together. Where
/// folds test on different graphs, they are those of Nadeau and Bengio over folds, the runs of a
/// fold with several seeds counting as one; two methods with fewer than kLeastFolds folds in
/// common, or whose difference is the same in all, are told apart by the graphs of these folds, as
/// above.
class ColumnStatistics {
 public:
  /// `runs` is how many the column has: many get fewer draws.
  ColumnStatistics(TableMetric metric, std::size_t runs, const TwinPlaces& twins);

  /// 95 %, of the mean over runs; NaN when unknown.
  Interval interval(const MethodRuns& method);
  PairTest compare(const MethodRuns& first, const MethodRuns& second);

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  struct TestSet {
    std::vector<int> truth;
    std::vector<std::size_t> group_of;  // numbered in order of first appearance
    int classes = 0;
    std::optional<GraphDraws> draws = {};  // made when somebody asks
  };
  using GraphsAsked = std::vector<std::pair<int, int>>;  // places and classes

  /// The number of the graphs that a run was tested on; kUnknown where it has no answers.
  std::size_t test_set(const CountedRun& run);
  std::span<const double> scores(const CountedRun& run);
  double compare_by_folds(const MethodRuns& first, const MethodRuns& second) const;
  double compare_by_draws(const MethodRuns& first, const MethodRuns& second);

  /// Of as many graphs as differ from each other, where that is known.
  Interval wilson_of(const CountedRun& run, double accuracy);
  /// Whether almost all graphs are right in all runs, or wrong: draws then know too few others.
  bool is_one_sided(const MethodRuns& method);

  TableMetric metric_;
  std::size_t most_draws_;
  std::unordered_map<int, int> first_twin_;  // by place, where it is another
  std::vector<TestSet> sets_;
  std::map<GraphsAsked, std::size_t> set_of_;
  std::unordered_map<const std::vector<Answer>*, std::size_t> set_of_run_;
  std::unordered_map<const std::vector<Answer>*, std::vector<double>> scores_;
};

/// Every pair, with Holm's correction over all of them.
Comparison compare_pairs(const std::string& data, const std::vector<MethodRuns>& methods,
                         ColumnStatistics& statistics);
/// McNemar's test on the test graphs of all runs in common; a graph that several of them test
/// counts in the first, and of isomorphic ones the first counts. So all folds count where each
/// tests on other graphs, and the first where all test on the same.
Comparison compare_by_graphs(const std::string& data, const std::vector<MethodRuns>& methods,
                             const TwinPlaces& twins);

/// By place of a test graph, the place of the first that is isomorphic to it, where that is
/// another.
std::unordered_map<int, int> first_twins(const TwinPlaces& twins);

bool has_any(const Comparison& comparison);

}  // namespace bermuda
