#include "bermuda/linear/cross_validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bermuda/linear/linear_trainer.hpp"

namespace bermuda {
namespace {

// Wide enough for what was measured on MUTAG, NCI1 and both synthetic tasks: a probe with few
// features wants 1, the node-index probe with its hundreds of weak ones 0.01.
constexpr std::array<double, 3> kCosts = {0.01, 0.1, 1.0};
// C is a prior: it can be chosen on a part of a large data set.
constexpr std::size_t kMostRowsForChoice = 4000;
constexpr std::size_t kFewestRowsForChoice = 10;
constexpr std::size_t kHeldOutShare = 5;

double log_loss(const LinearModel& model, const SparseMatrix& matrix, std::span<const int> labels,
                std::span<const std::size_t> rows) {
  double sum = 0;
  for (const std::size_t row : rows) {
    const std::vector<double> shares = model.probabilities(matrix.row(row));
    sum -= std::log(std::max(shares[static_cast<std::size_t>(labels[row])], 1e-12));
  }
  return sum;
}

// Every stride-th row, so that at most `most` are left and the mix of classes stays.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& rows, std::size_t most) {
  const std::size_t stride = (rows.size() + most - 1) / std::max<std::size_t>(most, 1);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(stride, 1)) {
    kept.push_back(rows[i]);
  }
  return kept;
}

class CrossValidation {
 public:
  CrossValidation(const SparseMatrix& matrix, std::span<const int> labels, int classes,
                  const Folds& folds, const StopPoll& stop)
      : matrix_(matrix),
        labels_(labels),
        folds_(folds),
        trainer_(matrix, labels, classes),
        stop_(stop) {}

  void predict_fold(int fold, std::vector<int>& predictions) const {
    std::vector<std::size_t> rows;
    for (const std::size_t item : folds_.order) {
      if (folds_.fold_of[item] != fold) rows.push_back(item);
    }
    const LinearModel model = trainer_.train(rows, {.cost = choose_cost(rows), .stop = stop_});
    for (const std::size_t item : folds_.order) {
      if (folds_.fold_of[item] != fold) continue;
      const std::vector<double> shares = model.probabilities(matrix_.row(item));
      predictions[item] =
          static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    }
  }

 private:
  // `rows` come class by class, so every fifth one gives a stratified part.
  double choose_cost(const std::vector<std::size_t>& rows) const {
    std::vector<std::size_t> inner;
    std::vector<std::size_t> held_out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      (i % kHeldOutShare == kHeldOutShare - 1 ? held_out : inner).push_back(rows[i]);
    }
    if (held_out.size() < kFewestRowsForChoice) return kCosts.back();
    inner = thinned(inner, kMostRowsForChoice);
    double best_cost = kCosts.back();
    double best_loss = 0;
    LinearModel last;
    for (const double cost : kCosts) {
      LinearOptions options{.cost = cost, .stop = stop_};
      if (!last.weights.empty()) options.start = &last;
      last = trainer_.train(inner, options);
      const double loss = log_loss(last, matrix_, labels_, held_out);
      if (cost == kCosts.front() || loss < best_loss) {
        best_cost = cost;
        best_loss = loss;
      }
    }
    return best_cost;
  }

  const SparseMatrix& matrix_;
  std::span<const int> labels_;
  const Folds& folds_;
  LinearTrainer trainer_;
  StopPoll stop_;
};

}  // namespace

std::vector<int> cross_validate(const SparseMatrix& matrix, std::span<const int> labels,
                                int classes, const Folds& folds, std::string_view stage_name,
                                const Execution& execution) {
  const auto count = static_cast<std::size_t>(folds.count);
  const Stage stage(execution, stage_name, count);
  const CrossValidation validation(matrix, labels, classes, folds, execution);
  std::vector<int> predictions(labels.size(), 0);
  parallel_for(execution, count, 1, [&](std::size_t begin, std::size_t) {
    validation.predict_fold(static_cast<int>(begin), predictions);
    stage.advance(1);
  });
  return predictions;
}

}  // namespace bermuda
