#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/linear/linear_model.hpp"

namespace bermuda {

enum class Loss { kLogistic, kSquaredHinge };

struct LinearOptions {
  Loss loss = Loss::kLogistic;  ///< squared hinge makes it a linear SVM
  bool balanced = false;        ///< weigh classes by the inverse of their share
  double cost = 1.0;        ///< C: inverse strength of the L2 penalty (the intercept is penalised)
  double tolerance = 0.01;  ///< LIBLINEAR's stopping tolerance
  /// Logistic loss: start from this model instead of zero. A good guess saves most of the work.
  const LinearModel* start = nullptr;
  StopPoll stop = {};  ///< looked at every few passes over the rows
};

/// L2-regularised linear models by LIBLINEAR, trained on the given rows of the matrix; labels[row]
/// is in 0..classes-1. Logistic loss: trust region Newton on the primal. Squared hinge loss:
/// coordinate descent on the dual, one training at a time in the whole process, because its random
/// order comes from rand(). The same input gives the same model, bit for bit. One copy of the
/// matrix in LIBLINEAR's layout serves all trainings.
class LinearTrainer {
 public:
  LinearTrainer(const SparseMatrix& matrix, std::span<const int> labels, int classes);
  ~LinearTrainer();
  LinearTrainer(const LinearTrainer&) = delete;
  LinearTrainer& operator=(const LinearTrainer&) = delete;

  /// Thread-safe: several trainings may share one trainer.
  LinearModel train(std::span<const std::size_t> rows, const LinearOptions& options) const;

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
  std::vector<int> labels_;
  int classes_;
  int columns_;
};

}  // namespace bermuda
