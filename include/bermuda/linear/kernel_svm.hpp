#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bermuda/linear/linear_model.hpp"

namespace bermuda {

/// C-SVM by LIBSVM on the precomputed kernel of the rows: exact hinge loss, intercept not
/// penalised. Stores rows^2 kernel values, 16 bytes each. The result is folded into weights on the
/// explicit features, so that prediction needs no kernel.
class KernelSvmTrainer {
 public:
  /// Keeps a reference to the rows.
  KernelSvmTrainer(const SparseMatrix& rows, std::span<const int> labels, int classes);
  ~KernelSvmTrainer();
  KernelSvmTrainer(const KernelSvmTrainer&) = delete;
  KernelSvmTrainer& operator=(const KernelSvmTrainer&) = delete;

  LinearModel train(double cost, bool balanced) const;

 private:
  struct Kernel;
  const SparseMatrix& rows_;
  std::vector<int> labels_;
  int classes_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace bermuda
