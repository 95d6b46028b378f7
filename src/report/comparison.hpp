#pragma once

#include <map>
#include <string>
#include <vector>

#include "bermuda/report/table.hpp"
#include "bermuda/statistics/significance.hpp"

namespace bermuda {

/// What a method did on one data set, by fold.
struct MethodRuns {
  std::string name;
  std::map<int, const RunRecord*> runs;
  std::map<int, double> figures;
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
