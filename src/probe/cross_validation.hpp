#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/statistics.hpp"
#include "bermuda/probe/features.hpp"

namespace bermuda {

/// The class predicted for each row by a logistic regression that was trained on the other folds.
/// Its C is chosen from 0.01, 0.1 and 1 by the log loss on a fifth of those other folds. Reports
/// progress as a stage with the given name, a step a fold.
std::vector<int> cross_validate(const SparseMatrix& matrix, std::span<const int> labels,
                                int classes, const Folds& folds, std::string_view stage_name,
                                const Execution& execution);

struct Difference {
  double value = 0;
  Interval interval;
  double z = 0;  ///< McNemar's statistic: the value in standard deviations if there were none
};

/// Accuracy of `first` minus that of `second` on the same items, with the 95 % interval of paired
/// shares: only items that exactly one of them has right count (McNemar 1947).
Difference paired_difference(std::span<const int> truth, std::span<const int> first,
                             std::span<const int> second);

}  // namespace bermuda
