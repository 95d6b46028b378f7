#pragma once

#include <span>
#include <vector>

#include "bermuda/linear/sparse_matrix.hpp"

namespace bermuda {

/// A linear model: for two classes one weight vector (positive score = class 1), for more one per
/// class. The last weight of each vector is the intercept.
struct LinearModel {
  int classes = 2;
  int columns = 0;
  std::vector<std::vector<double>> weights;

  /// Class probabilities of a row: logistic for two classes, one-against-rest, normalised, for
  /// more. Columns past the training matrix are ignored.
  std::vector<double> probabilities(std::span<const SparseMatrix::Entry> row) const;
  /// One number per class, larger means likelier: for two classes minus and plus the score.
  std::vector<double> scores(std::span<const SparseMatrix::Entry> row) const;
  /// Two classes only: probability of class 1.
  double probability_of_one(std::span<const SparseMatrix::Entry> row) const;
};

}  // namespace bermuda
