#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/linear/sparse_matrix.hpp"

namespace bermuda {

/// The class predicted for each row by a logistic regression that was trained on the other folds.
/// Its C is chosen from 0.01, 0.1 and 1 by the log loss on a fifth of those other folds. Reports
/// progress as a stage with the given name, one step per fold.
std::vector<int> cross_validate(const SparseMatrix& matrix, std::span<const int> labels,
                                int classes, const Folds& folds, std::string_view stage_name,
                                const Execution& execution);

}  // namespace bermuda
