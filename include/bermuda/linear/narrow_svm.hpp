#pragma once

#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/linear/linear_model.hpp"

namespace bermuda {

/// Up to so many features a NarrowSvmTrainer is fast.
inline constexpr int kMostNarrowColumns = 256;

/// C-SVM on few features: the problem of KernelSvmTrainer (exact hinge loss, intercept not
/// penalised), solved by a primal-dual interior point method (Ferris and Munson 2002). Each of some
/// twenty steps takes rows * columns^2 operations, whatever C is, where LIBSVM's iterations grow
/// with C on classes that overlap: minutes for 500 rows of five features.
class NarrowSvmTrainer {
 public:
  NarrowSvmTrainer(const SparseMatrix& rows, std::span<const int> labels, int classes);

  LinearModel train(double cost, bool balanced, StopPoll stop = {}) const;

 private:
  std::vector<double> features_;  // dense, with a constant 1 behind each row
  std::vector<int> labels_;
  int classes_;
  int columns_;
};

}  // namespace bermuda
