#include "bermuda/linear/logistic.hpp"

#include <algorithm>
#include <array>
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

// Rows row_at(0), row_at(1), ... Four at a time: each row's sum keeps its order, but four additions
// can be under way at once.
template <typename RowAt>
void score_rows(const Vector& weights, RowAt row_at, std::span<double> scores) {
  constexpr std::size_t kTogether = 4;
  std::size_t k = 0;
  for (; k + kTogether <= scores.size(); k += kTogether) {
    std::array<std::span<const std::uint32_t>, kTogether> rows;
    std::array<double, kTogether> sums;
    std::size_t common = row_at(k).size();
    for (std::size_t r = 0; r < kTogether; ++r) {
      rows[r] = row_at(k + r);
      sums[r] = weights.back();
      common = std::min(common, rows[r].size());
    }
    for (std::size_t i = 0; i < common; ++i) {
      for (std::size_t r = 0; r < kTogether; ++r) sums[r] += weights[rows[r][i]];
    }
    for (std::size_t r = 0; r < kTogether; ++r) {
      for (const std::uint32_t column : rows[r].subspan(common)) sums[r] += weights[column];
      scores[k + r] = sums[r];
    }
  }
  for (; k < scores.size(); ++k) scores[k] = score_of(weights, row_at(k));
}

/// What is minimised, over the rows that have a count.
class Objective {
 public:
  Objective(const PresenceRows& rows, const RowCounts& counts, double cost, const StopPoll& stop)
      : rows_(rows), cost_(cost), stop_(stop) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (counts.total[i] <= 0) continue;
      present_.push_back(static_cast<std::uint32_t>(i));
      total_.push_back(counts.total[i]);
      ones_.push_back(counts.ones[i]);
    }
    chances_.resize(present_.size());
  }

  Vector gradient(const Vector& weights) {
    return sum_up(weights, [&](std::span<const std::uint32_t> numbers, std::span<double> chances) {
      score_rows(
          weights, [&](std::size_t k) { return rows_.row(numbers[k]); }, chances);
      portable_logistic(chances);
    });
  }

  /// All scores are zero, and the chances even.
  Vector gradient_at_zero() {
    return sum_up(Vector(rows_.columns + 1, 0.0),
                  [](std::span<const std::uint32_t>, std::span<double> chances) {
                    std::ranges::fill(chances, 0.5);
                  });
  }

  /// Where the gradient was last asked for.
  std::shared_ptr<const Curvature> curvature() const {
    Vector of_row(rows_.rows(), 0.0);
    for (std::size_t k = 0; k < present_.size(); ++k) {
      of_row[present_[k]] = cost_ * total_[k] * chances_[k] * (1.0 - chances_[k]);
    }
    return std::make_shared<Curvature>(rows_, of_row, stop_);
  }

 private:
  // Some rows at a time, so that they are still at hand when their slopes are known. Each column's
  // sum is in the order of the rows.
  template <typename FillChances>
  Vector sum_up(const Vector& weights, FillChances fill_chances) {
    constexpr std::size_t kBlock = 256;
    Vector result = weights;
    double intercept = 0;
    for (std::size_t begin = 0; begin < present_.size(); begin += kBlock) {
      stop_(kBlock);
      const std::size_t size = std::min(kBlock, present_.size() - begin);
      fill_chances(std::span(present_).subspan(begin, size),
                   std::span(chances_).subspan(begin, size));
      for (std::size_t k = begin; k < begin + size; ++k) {
        const double slope = cost_ * (total_[k] * chances_[k] - ones_[k]);
        for (const std::uint32_t column : rows_.row(present_[k])) result[column] += slope;
        intercept += slope;
      }
    }
    result.back() += intercept;
    return result;
  }

  const PresenceRows& rows_;
  double cost_;
  StopPoll stop_;
  std::vector<std::uint32_t> present_;
  Vector total_;    // of each present row
  Vector ones_;     // of these
  Vector chances_;  // that it is a one, where the gradient was last asked for
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

void LogisticFit::chances(const PresenceRows& rows, std::size_t first,
                          std::span<double> result) const {
  score_rows(
      weights, [&](std::size_t k) { return rows.row(first + k); }, result);
  portable_logistic(result);
}

LogisticFit fit_logistic(const PresenceRows& rows, const RowCounts& counts,
                         const LogisticOptions& options, const Execution& execution,
                         const LogisticFit* start) {
  constexpr double kMuchLess = 0.05;      // a gradient so much shorter is worth a new factor
  constexpr std::size_t kManySteps = 16;  // and so is slow progress
  Objective objective(rows, counts, options.cost, execution);
  Vector gradient = objective.gradient_at_zero();
  const double goal = options.tolerance * length(gradient);

  LogisticFit fit{Vector(rows.columns + 1, 0.0), nullptr};
  if (start != nullptr) {
    fit = *start;
    gradient = objective.gradient(fit.weights);
  } else {
    fit.curvature = objective.curvature();
  }
  int passes = 1;
  double factored_at = length(gradient);
  History history;
  for (double now = factored_at; now > goal && passes < options.most_passes;
       now = length(gradient)) {
    if ((start == nullptr && now < kMuchLess * factored_at) || history.size() == kManySteps) {
      fit.curvature = objective.curvature();
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
