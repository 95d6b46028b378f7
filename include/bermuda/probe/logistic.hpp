#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bermuda/probe/features.hpp"

namespace bermuda {

/// A linear model: for two classes one weight vector (positive score = class 1), for more one a
/// class. The last weight of each vector is the intercept.
struct LinearModel {
  int classes = 2;
  int columns = 0;
  std::vector<std::vector<double>> weights;

  /// Class probabilities of a row: logistic for two classes, one-against-rest, normalised, for
  /// more. Columns past the training matrix are ignored.
  std::vector<double> probabilities(std::span<const SparseMatrix::Entry> row) const;
  /// One number a class, larger means likelier: for two classes minus and plus the score.
  std::vector<double> scores(std::span<const SparseMatrix::Entry> row) const;
  /// Two classes only: probability of class 1.
  double probability_of_one(std::span<const SparseMatrix::Entry> row) const;
};

enum class Loss { kLogistic, kSquaredHinge };

struct LogisticOptions {
  Loss loss = Loss::kLogistic;  ///< squared hinge makes it a linear SVM
  bool balanced = false;        ///< weigh classes by the inverse of their share
  double cost = 1.0;        ///< C: inverse strength of the L2 penalty (the intercept is penalised)
  double tolerance = 0.01;  ///< LIBLINEAR's stopping tolerance
  /// Logistic loss: start from this model instead of zero. A good guess saves most of the work.
  const LinearModel* start = nullptr;
};

/// L2-regularised linear models by LIBLINEAR, trained on the given rows of the matrix; labels[row]
/// is in 0..classes-1. Logistic loss: trust region Newton on the primal. Squared hinge loss:
/// coordinate descent on the dual, one training at a time in the whole process, because its random
/// order comes from rand(). The same input gives the same
/// model, bit for bit. One copy of the matrix in
/// LIBLINEAR's layout serves all trainings.
class LogisticTrainer {
 public:
  LogisticTrainer(const SparseMatrix& matrix, std::span<const int> labels, int classes);
  ~LogisticTrainer();
  LogisticTrainer(const LogisticTrainer&) = delete;
  LogisticTrainer& operator=(const LogisticTrainer&) = delete;

  /// Thread-safe: several trainings may share one trainer.
  LinearModel train(std::span<const std::size_t> rows, const LogisticOptions& options) const;

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
  std::vector<int> labels_;
  int classes_;
  int columns_;
};

}  // namespace bermuda
