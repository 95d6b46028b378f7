#include "bermuda/linear/kernel_svm.hpp"

#include <fmt/format.h>
#include <libsvm/svm.h>

#include <algorithm>
#include <mutex>

#include "bermuda/linear/narrow_svm.hpp"
#include "machines.hpp"
#include "training_watch.hpp"

namespace bermuda {
namespace {

constexpr double kCacheMegabytes = 200;
constexpr double kSvmTolerance = 1e-3;  // LIBSVM's and scikit-learn's default
// A little less than where LIBSVM gives up, which it writes to standard error by itself.
constexpr long kMostIterations = 9'900'000;

}  // namespace

// LIBSVM wants each kernel row as (0, row number), (1, K_i1), ..., (l, K_il), (-1, end).
struct KernelSvmTrainer::Kernel {
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;
};

KernelSvmTrainer::KernelSvmTrainer(const SparseMatrix& rows, std::span<const int> labels,
                                   int classes, const StopPoll& stop)
    : rows_(rows),
      labels_(labels.begin(), labels.end()),
      classes_(classes),
      kernel_(std::make_unique<Kernel>()) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { svm_set_print_string_function(&TrainingWatch::print); });
  const std::size_t count = rows.rows();
  const std::vector<double> gram = gram_matrix(rows, rows, stop);
  kernel_->nodes.resize(count * (count + 2));
  for (std::size_t i = 0; i < count; ++i) {
    svm_node* node = kernel_->nodes.data() + i * (count + 2);
    kernel_->rows.push_back(node);
    *node++ = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < count; ++j) {
      *node++ = {static_cast<int>(j) + 1, gram[i * count + j]};
    }
    *node = {-1, 0};
  }
}

KernelSvmTrainer::~KernelSvmTrainer() = default;

LinearModel KernelSvmTrainer::train(double cost, bool balanced, const StopPoll& stop) const {
  svm_problem problem{static_cast<int>(labels_.size()), nullptr, kernel_->rows.data()};
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = PRECOMPUTED;
  settings.C = cost;
  settings.eps = kSvmTolerance;
  settings.cache_size = kCacheMegabytes;
  settings.shrinking = 1;
  settings.nr_weight = balanced ? 2 : 0;

  const long iterations_per_dot = std::clamp(static_cast<long>(labels_.size()), 1L, 1000L);
  const auto solve = [&](std::size_t, Sides& sides, std::vector<double>& weights) {
    problem.y = sides.of_row.data();
    settings.weight_label = sides.names.data();
    settings.weight = sides.balance.data();
    const TrainingWatch watch(stop, kMostIterations / iterations_per_dot);
    svm_model* trained = svm_train(&problem, &settings);
    // LIBSVM speaks for the side that it met first.
    const double sign = trained->label[0] == 1 ? 1.0 : -1.0;
    for (int s = 0; s < trained->l; ++s) {
      const auto row = static_cast<std::size_t>(trained->SV[s][0].value) - 1;
      const double factor = sign * trained->sv_coef[0][s];
      for (const auto& entry : rows_.row(row)) {
        weights[static_cast<std::size_t>(entry.column)] += factor * entry.value;
      }
    }
    weights.back() = -sign * trained->rho[0];
    svm_free_and_destroy_model(&trained);
  };
  try {
    return train_machines(labels_, classes_, rows_.columns, solve);
  } catch (const TooManyIterations&) {
    if (rows_.columns > kMostNarrowColumns) {
      throw Error(fmt::format(
          "LIBSVM does not converge for C = {} within {} iterations (smaller --costs, or --solver "
          "linear)",
          cost, kMostIterations));
    }
    return NarrowSvmTrainer(rows_, labels_, classes_).train(cost, balanced, stop);
  }
}

}  // namespace bermuda
