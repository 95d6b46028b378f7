#include "bermuda/probe/logistic.hpp"

#include <linear.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <mutex>

namespace bermuda {
namespace {

// The intercept of a model that has only ever seen one class.
constexpr double kCertain = 20.0;

void print_nothing(const char*) {}

// The dual solver for the hinge loss draws from rand(), which all threads share: one at a time,
// from a fixed start, so that the same input gives the same model.
std::mutex random_state;

double score(const std::vector<double>& weights, int columns,
             std::span<const SparseMatrix::Entry> row) {
  double sum = weights.back();
  for (const auto& entry : row) {
    if (entry.column < columns)
      sum += weights[static_cast<std::size_t>(entry.column)] * entry.value;
  }
  return sum;
}

double logistic(double value) { return 1.0 / (1.0 + std::exp(-value)); }

}  // namespace

double LinearModel::probability_of_one(std::span<const SparseMatrix::Entry> row) const {
  return logistic(score(weights.front(), columns, row));
}

std::vector<double> LinearModel::scores(std::span<const SparseMatrix::Entry> row) const {
  if (classes == 2) {
    const double one = score(weights.front(), columns, row);
    return {-one, one};
  }
  std::vector<double> result;
  for (const auto& vector : weights) result.push_back(score(vector, columns, row));
  return result;
}

std::vector<double> LinearModel::probabilities(std::span<const SparseMatrix::Entry> row) const {
  if (classes == 2) {
    const double one = probability_of_one(row);
    return {1.0 - one, one};
  }
  std::vector<double> result;
  double sum = 0;
  for (const auto& vector : weights) {
    result.push_back(logistic(score(vector, columns, row)));
    sum += result.back();
  }
  for (double& value : result) value /= std::max(sum, 1e-300);
  return result;
}

// LIBLINEAR's rows: (1-based column, value) pairs, then the intercept's constant, then index -1.
struct LogisticTrainer::Rows {
  std::vector<feature_node> nodes;
  std::vector<feature_node*> begin;
};

LogisticTrainer::LogisticTrainer(const SparseMatrix& matrix, std::span<const int> labels,
                                 int classes)
    : rows_(std::make_unique<Rows>()),
      labels_(labels.begin(), labels.end()),
      classes_(classes),
      columns_(matrix.columns) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { set_print_string_function(&print_nothing); });
  rows_->nodes.reserve(matrix.entries.size() + 2 * matrix.rows());
  rows_->begin.reserve(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    rows_->begin.push_back(rows_->nodes.data() + rows_->nodes.size());
    for (const auto& entry : matrix.row(i)) rows_->nodes.push_back({entry.column + 1, entry.value});
    rows_->nodes.push_back({columns_ + 1, 1.0});
    rows_->nodes.push_back({-1, 0.0});
  }
}

LogisticTrainer::~LogisticTrainer() = default;

LinearModel LogisticTrainer::train(std::span<const std::size_t> rows,
                                   const LogisticOptions& options) const {
  std::vector<feature_node*> x;
  std::vector<double> y(rows.size());
  x.reserve(rows.size());
  for (const std::size_t row : rows) x.push_back(rows_->begin[row]);

  problem task{};
  task.l = static_cast<int>(rows.size());
  task.n = columns_ + 1;
  task.y = y.data();
  task.x = x.data();
  task.bias = -1;
  parameter settings{};
  const bool hinge = options.loss == Loss::kSquaredHinge;
  settings.solver_type = hinge ? L2R_L2LOSS_SVC_DUAL : L2R_LR;
  settings.C = options.cost;
  settings.eps = options.tolerance;

  LinearModel result{classes_, columns_, {}};
  const int machines = classes_ == 2 ? 1 : classes_;
  for (int machine = 0; machine < machines; ++machine) {
    const int positive = classes_ == 2 ? 1 : machine;
    // With labels +1 and -1 LIBLINEAR's weights always speak for +1, whichever comes first.
    for (std::size_t i = 0; i < rows.size(); ++i) y[i] = labels_[rows[i]] == positive ? 1.0 : -1.0;
    std::vector<double> weights(static_cast<std::size_t>(task.n), 0.0);
    const auto positives = std::count(y.begin(), y.end(), 1.0);
    if (positives == 0 || positives == task.l) {
      weights.back() = positives == 0 ? -kCertain : kCertain;
    } else {
      std::vector<double> start;
      if (options.start != nullptr && !hinge) {
        start = options.start->weights[static_cast<std::size_t>(machine)];
        settings.init_sol = start.data();
      }
      std::array<int, 2> sides = {1, -1};
      std::array<double, 2> shares{};
      if (options.balanced) {
        shares = {0.5 * task.l / static_cast<double>(positives),
                  0.5 * task.l / static_cast<double>(task.l - positives)};
        settings.nr_weight = 2;
        settings.weight_label = sides.data();
        settings.weight = shares.data();
      }
      const auto turn = hinge ? std::unique_lock(random_state) : std::unique_lock<std::mutex>();
      if (hinge) std::srand(1);
      model* trained = ::train(&task, &settings);
      std::copy_n(trained->w, weights.size(), weights.begin());
      free_and_destroy_model(&trained);
    }
    result.weights.push_back(std::move(weights));
  }
  return result;
}

}  // namespace bermuda
