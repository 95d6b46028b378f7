#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/linear/linear_model.hpp"

namespace bermuda {

/// C-SVM by LIBSVM on the precomputed kernel of the rows: exact hinge loss, intercept not
/// penalised. Stores rows^2 kernel values, 16 bytes each. The result is folded into weights on the
/// explicit features, so that prediction needs no kernel.
class KernelSvmTrainer {
 public:
  /// Keeps a reference to the rows.
  KernelSvmTrainer(const SparseMatrix& rows, std::span<const int> labels, int classes,
                   const StopPoll& stop = {});
  ~KernelSvmTrainer();
  KernelSvmTrainer(const KernelSvmTrainer&) = delete;
  KernelSvmTrainer& operator=(const KernelSvmTrainer&) = delete;

  /// Where LIBSVM would stop without having converged, and print that: on few features a
  /// NarrowSvmTrainer takes over, on others it throws Error.
  LinearModel train(double cost, bool balanced, const StopPoll& stop = {}) const;

 private:
  struct Kernel;
  const SparseMatrix& rows_;
  std::vector<int> labels_;
  int classes_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace bermuda
