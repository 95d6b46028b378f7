#include "bermuda/linear/logistic.hpp"

#include <cmath>

#include "bermuda/core/portable_math.hpp"
#include "curvature.hpp"

namespace bermuda {
namespace {

using Vector = std::vector<double>;

// In order: a compiler may not change the order of a sum unless it is told to.
double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double length(const Vector& a) { return std::sqrt(dot(a, a)); }

void add(Vector& target, double factor, const Vector& a) {
  for (std::size_t i = 0; i < target.size(); ++i) target[i] += factor * a[i];
}

double score_of(const Vector& weights, std::span<const std::uint32_t> row) {
  double sum = weights.back();
  for (const std::uint32_t column : row) sum += weights[column];
  return sum;
}

/// What is minimised, over the rows that have a count.
class Objective {
 public:
  Objective(const PresenceRows& rows, const RowCounts& counts, double cost)
      : rows_(rows), counts_(counts), cost_(cost) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (counts.total[i] > 0) present_.push_back(i);
    }
  }

  Vector gradient(const Vector& weights) const {
    Vector result = weights;
    double intercept = 0;
    for (const std::size_t i : present_) {
      const auto row = rows_.row(i);
      const double one = portable_logistic(score_of(weights, row));
      const double slope = cost_ * (counts_.total[i] * one - counts_.ones[i]);
      for (const std::uint32_t column : row) result[column] += slope;
      intercept += slope;
    }
    result.back() += intercept;
    return result;
  }

  std::shared_ptr<const Curvature> curvature(const Vector& weights) const {
    Vector of_row(rows_.rows(), 0.0);
    for (const std::size_t i : present_) {
      const double one = portable_logistic(score_of(weights, rows_.row(i)));
      of_row[i] = cost_ * counts_.total[i] * one * (1.0 - one);
    }
    return std::make_shared<Curvature>(rows_, of_row);
  }

 private:
  const PresenceRows& rows_;
  const RowCounts& counts_;
  double cost_;
  std::vector<std::size_t> present_;
};

/// L-BFGS: steps taken and what they did to the gradient since the curvature was factored.
class History {
 public:
  std::size_t size() const { return steps_.size(); }
  void clear() { steps_.clear(); }
  void add_step(Vector step, Vector change) {
    const double inverse = 1.0 / dot(step, change);  // positive: the objective is strictly convex
    steps_.push_back({std::move(step), std::move(change), inverse});
  }

  /// Minus the gradient, divided by what is known of the curvature.
  Vector direction(const Vector& gradient, const Curvature& curvature) const {
    Vector result = gradient;
    std::vector<double> parts(steps_.size());
    for (std::size_t k = steps_.size(); k-- > 0;) {
      parts[k] = steps_[k].inverse * dot(steps_[k].step, result);
      add(result, -parts[k], steps_[k].change);
    }
    curvature.divide(result);
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      add(result, parts[k] - steps_[k].inverse * dot(steps_[k].change, result), steps_[k].step);
    }
    for (double& value : result) value = -value;
    return result;
  }

 private:
  struct Step {
    Vector step;
    Vector change;
    double inverse;
  };
  std::vector<Step> steps_;
};

}  // namespace

double LogisticFit::score(std::span<const std::uint32_t> row) const {
  return score_of(weights, row);
}

LogisticFit fit_logistic(const PresenceRows& rows, const RowCounts& counts,
                         const LogisticOptions& options, const Execution& execution,
                         const LogisticFit* start) {
  constexpr double kMuchLess = 0.05;      // a gradient so much shorter is worth a new factor
  constexpr std::size_t kManySteps = 16;  // and so is slow progress
  const Objective objective(rows, counts, options.cost);
  const Vector zero(rows.columns + 1, 0.0);
  Vector gradient = objective.gradient(zero);
  const double goal = options.tolerance * length(gradient);

  LogisticFit fit{zero, nullptr};
  if (start != nullptr) {
    fit = *start;
    gradient = objective.gradient(fit.weights);
  } else {
    fit.curvature = objective.curvature(zero);
  }
  int passes = 1;
  double factored_at = length(gradient);
  History history;
  for (double now = factored_at; now > goal && passes < options.most_passes;
       now = length(gradient)) {
    if ((start == nullptr && now < kMuchLess * factored_at) || history.size() == kManySteps) {
      fit.curvature = objective.curvature(fit.weights);
      history.clear();
      factored_at = now;
    }
    const Vector direction = history.direction(gradient, *fit.curvature);
    const double slope = dot(gradient, direction);
    // The objective is convex along the direction: where its slope is small or still negative, it
    // has fallen. Where the step was too long, the secant tells how much.
    Vector weights;
    Vector there;
    for (double step = 1; passes < options.most_passes;) {
      execution.check_stop();
      weights = fit.weights;
      add(weights, step, direction);
      there = objective.gradient(weights);
      ++passes;
      const double slope_there = dot(there, direction);
      if (slope_there <= -0.5 * slope) break;
      step *= slope / (slope - slope_there);
    }
    Vector moved = weights;
    add(moved, -1.0, fit.weights);
    Vector change = there;
    add(change, -1.0, gradient);
    if (dot(moved, change) <= 0) break;  // no more than rounding is left to gain
    history.add_step(std::move(moved), std::move(change));
    fit.weights = std::move(weights);
    gradient = std::move(there);
  }
  return fit;
}

}  // namespace bermuda
