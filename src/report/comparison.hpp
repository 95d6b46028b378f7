#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/report/table.hpp"
#include "bermuda/statistics/significance.hpp"

namespace bermuda {

/// Fold and seed: runs of two methods are compared where they have both in common.
using FoldAndSeed = std::pair<int, std::uint64_t>;

/// What a method did on one data set.
struct MethodRuns {
  std::string name;
  std::map<FoldAndSeed, const RunRecord*> runs;
  std::map<FoldAndSeed, double> figures;
};

/// Test graphs per training graph.
double test_share_of(const RunResult& result);

/// Pairs with fewer folds in common than `least` get no p value.
Comparison compare_over_folds(const std::string& data, const std::vector<MethodRuns>& methods,
                              std::size_t least);
/// On the test graphs of all folds in common; a graph that several of them test counts in the
/// first. So all folds count where each tests on other graphs, and the first where all test on the
/// same.
Comparison compare_by_graphs(const std::string& data, const std::vector<MethodRuns>& methods);

bool is_complete(const Comparison& comparison);
bool has_any(const Comparison& comparison);

}  // namespace bermuda
