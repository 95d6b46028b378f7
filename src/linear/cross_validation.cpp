#include "bermuda/linear/cross_validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bermuda/linear/linear_trainer.hpp"

namespace bermuda {
namespace {

// A probe with few features wants 1, the node-index probe with its hundreds of weak ones 0.01.
// 0.001 and 10 changed nothing on MUTAG and ENZYMES, and 0.6 points at most on PTC.
constexpr std::array<double, 3> kCosts = {0.01, 0.1, 1.0};
// C is a prior: it can be chosen on a part of a large data set.
constexpr std::size_t kMostRowsForChoice = 4000;
constexpr std::size_t kFewestRowsForChoice = 10;
constexpr std::size_t kFifths = 5;
// Of a small data set several fifths are held out, one after another, until that many rows are.
constexpr std::size_t kEnoughHeldOut = 200;

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

struct Choice {
  double cost;
  double loss;
};

class Validation {
 public:
  Validation(const SparseMatrix& matrix, std::span<const int> labels, int classes,
             const Folds& folds, const StopPoll& stop)
      : matrix_(matrix),
        labels_(labels),
        folds_(folds),
        trainer_(matrix, labels, classes),
        stop_(stop) {}

  /// Returns the loss of the model that was chosen.
  double predict_fold(int fold, std::vector<int>& predictions) const {
    std::vector<std::size_t> rows;
    for (const std::size_t item : folds_.order) {
      if (folds_.fold_of[item] != fold) rows.push_back(item);
    }
    const Choice choice = choose_cost(rows);
    const LinearModel model = trainer_.train(rows, {.cost = choice.cost, .stop = stop_});
    for (const std::size_t item : folds_.order) {
      if (folds_.fold_of[item] != fold) continue;
      const std::vector<double> shares = model.probabilities(matrix_.row(item));
      predictions[item] =
          static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    }
    return choice.loss;
  }

 private:
  /// Rows to train on, and others to judge by; the last model is where the next one starts.
  struct Part {
    std::vector<std::size_t> inner = {};
    std::vector<std::size_t> held_out = {};
    LinearModel last = {};
  };

  // `rows` come class by class, so every fifth one gives a stratified part.
  static std::vector<Part> parts_of(const std::vector<std::size_t>& rows) {
    std::vector<Part> parts;
    std::size_t held_out = 0;
    for (std::size_t fifth = kFifths; fifth-- > 0 && held_out < kEnoughHeldOut;) {
      Part part;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        (i % kFifths == fifth ? part.held_out : part.inner).push_back(rows[i]);
      }
      part.inner = thinned(part.inner, kMostRowsForChoice);
      held_out += part.held_out.size();
      parts.push_back(std::move(part));
    }
    return parts;
  }

  // With rising C the loss falls, then rises, and training takes longer and longer: the first that
  // is worse than the one before is the last.
  Choice choose_cost(const std::vector<std::size_t>& rows) const {
    Choice best{kCosts.back(), std::numeric_limits<double>::infinity()};
    if (rows.size() / kFifths < kFewestRowsForChoice) return best;
    std::vector<Part> parts = parts_of(rows);
    for (const double cost : kCosts) {
      const double loss = loss_of(cost, parts);
      if (loss >= best.loss) break;
      best = {cost, loss};
    }
    return best;
  }

  double loss_of(double cost, std::vector<Part>& parts) const {
    double sum = 0;
    std::size_t judged = 0;
    for (Part& part : parts) {
      LinearOptions options{.cost = cost, .stop = stop_};
      if (!part.last.weights.empty()) options.start = &part.last;
      part.last = trainer_.train(part.inner, options);
      sum += log_loss(part.last, matrix_, labels_, part.held_out);
      judged += part.held_out.size();
    }
    return sum / static_cast<double>(judged);
  }

  const SparseMatrix& matrix_;
  std::span<const int> labels_;
  const Folds& folds_;
  LinearTrainer trainer_;
  StopPoll stop_;
};

}  // namespace

CrossValidation cross_validate(const SparseMatrix& matrix, std::span<const int> labels, int classes,
                               const Folds& folds, std::string_view stage_name,
                               const Execution& execution) {
  const auto count = static_cast<std::size_t>(folds.count);
  const Stage stage(execution, stage_name, count);
  const Validation validation(matrix, labels, classes, folds, execution);
  CrossValidation result{std::vector<int>(labels.size(), 0), std::vector<double>(count, 0.0)};
  parallel_for(execution, count, 1, [&](std::size_t begin, std::size_t) {
    result.losses[begin] = validation.predict_fold(static_cast<int>(begin), result.predicted);
    stage.advance(1);
  });
  return result;
}

}  // namespace bermuda
