#include "bermuda/linear/linear_trainer.hpp"

#include <linear.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "machines.hpp"
#include "training_watch.hpp"

namespace bermuda {
namespace {

// The dual solver for the hinge loss draws from rand(), which all threads share: one at a time,
// from a fixed start, so that the same input gives the same model.
std::mutex random_state;

}  // namespace

// LIBLINEAR's rows: (1-based column, value) pairs, then the intercept's constant, then index -1.
struct LinearTrainer::Rows {
  std::vector<feature_node> nodes;
  std::vector<feature_node*> begin;
};

LinearTrainer::LinearTrainer(const SparseMatrix& matrix, std::span<const int> labels, int classes)
    : rows_(std::make_unique<Rows>()),
      labels_(labels.begin(), labels.end()),
      classes_(classes),
      columns_(matrix.columns) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { set_print_string_function(&TrainingWatch::print); });
  rows_->nodes.reserve(matrix.entries.size() + 2 * matrix.rows());
  rows_->begin.reserve(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    rows_->begin.push_back(rows_->nodes.data() + rows_->nodes.size());
    for (const auto& entry : matrix.row(i)) rows_->nodes.push_back({entry.column + 1, entry.value});
    rows_->nodes.push_back({columns_ + 1, 1.0});
    rows_->nodes.push_back({-1, 0.0});
  }
}

LinearTrainer::~LinearTrainer() = default;

LinearModel LinearTrainer::train(std::span<const std::size_t> rows,
                                 const LinearOptions& options) const {
  std::vector<feature_node*> x;
  std::vector<int> labels;
  x.reserve(rows.size());
  labels.reserve(rows.size());
  for (const std::size_t row : rows) {
    x.push_back(rows_->begin[row]);
    labels.push_back(labels_[row]);
  }

  problem task{};
  task.l = static_cast<int>(rows.size());
  task.n = columns_ + 1;
  task.x = x.data();
  task.bias = -1;
  parameter settings{};
  const bool hinge = options.loss == Loss::kSquaredHinge;
  settings.solver_type = hinge ? L2R_L2LOSS_SVC_DUAL : L2R_LR;
  settings.C = options.cost;
  settings.eps = options.tolerance;
  settings.nr_weight = options.balanced ? 2 : 0;

  const auto solve = [&](std::size_t machine, Sides& sides, std::vector<double>& weights) {
    // With sides named +1 and -1 LIBLINEAR's weights always speak for +1, whichever comes first.
    task.y = sides.of_row.data();
    settings.weight_label = sides.names.data();
    settings.weight = sides.balance.data();
    std::vector<double> start;
    if (options.start != nullptr && !hinge) {
      start = options.start->weights[machine];
      settings.init_sol = start.data();
    }
    const auto turn = hinge ? std::unique_lock(random_state) : std::unique_lock<std::mutex>();
    if (hinge) std::srand(1);
    const TrainingWatch watch(options.stop);
    model* trained = ::train(&task, &settings);
    std::copy_n(trained->w, weights.size(), weights.begin());
    free_and_destroy_model(&trained);
  };
  return train_machines(labels, classes_, columns_, solve);
}

}  // namespace bermuda
