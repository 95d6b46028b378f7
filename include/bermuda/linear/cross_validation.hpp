#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/linear/sparse_matrix.hpp"

namespace bermuda {

/// What logistic regressions say of rows they were not trained on.
struct CrossValidation {
  std::vector<int> predicted;  ///< by row: the class, by the model that was trained on other folds
  /// By fold: the mean log loss on those parts of the other folds that C was chosen by. Comparable
  /// between matrices with the same rows and folds; infinite where there are too few rows to
  /// choose.
  std::vector<double> losses;
};

/// Each fold is predicted by a logistic regression that was trained on the others. Its C is chosen
/// from 0.01, 0.1 and 1 by the log loss on a fifth of those others, which the models that are
/// compared have not seen; where a fifth is few rows, on several, one after another. Reports
/// progress as a stage with the given name, one step per fold.
CrossValidation cross_validate(const SparseMatrix& matrix, std::span<const int> labels, int classes,
                               const Folds& folds, std::string_view stage_name,
                               const Execution& execution);

}  // namespace bermuda
