#include "bermuda/linear/narrow_svm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "machines.hpp"

namespace bermuda {
namespace {

constexpr int kMostSteps = 200;
constexpr double kPrecision = 1e-8;  // of the gap, relative to C
constexpr double kShorten = 0.99;    // of the way to the nearest bound

/// Solves m x = b for a symmetric positive definite m, whose place it uses up. Pivots that rounding
/// has eaten are passed over: their unknown is 0.
class Cholesky {
 public:
  Cholesky(std::vector<double> matrix, std::size_t size) : l_(std::move(matrix)), size_(size) {
    for (std::size_t j = 0; j < size; ++j) {
      const double before = cell(j, j);
      for (std::size_t k = 0; k < j; ++k) cell(j, j) -= cell(j, k) * cell(j, k);
      const bool lost = !(cell(j, j) > 1e-14 * before);
      cell(j, j) = lost ? 0 : std::sqrt(cell(j, j));
      for (std::size_t i = j + 1; i < size; ++i) {
        double sum = cell(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= cell(i, k) * cell(j, k);
        cell(i, j) = lost ? 0 : sum / cell(j, j);
      }
    }
  }
  void solve(std::vector<double>& x) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= cell(i, k) * x[k];
      x[i] = cell(i, i) > 0 ? x[i] / cell(i, i) : 0;
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) x[i] -= cell(k, i) * x[k];
      x[i] = cell(i, i) > 0 ? x[i] / cell(i, i) : 0;
    }
  }

 private:
  double& cell(std::size_t i, std::size_t j) { return l_[i * size_ + j]; }
  const double& cell(std::size_t i, std::size_t j) const { return l_[i * size_ + j]; }
  std::vector<double> l_;
  std::size_t size_;
};

/// The dual: minimise 1/2 |sum a_i y_i x_i|^2 - sum a_i with 0 <= a_i <= c_i and sum a_i y_i = 0.
/// Slacks s of the lower and v of the upper bounds; w and the multiplier b of the sum are the
/// machine. A step's system shrinks to one of the size of (w, b).
class InteriorPoint {
 public:
  InteriorPoint(std::span<const double> features, std::span<const double> sides,
                std::vector<double> costs)
      : z_(features.begin(), features.end()),
        c_(std::move(costs)),
        rows_(sides.size()),
        width_(features.size() / sides.size()),
        wb_(width_, 0.0),
        a_(rows_),
        s_(rows_, 1.0),
        v_(rows_, 1.0) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < width_; ++k) z_[i * width_ + k] *= sides[i];
      a_[i] = c_[i] / 2;
    }
  }

  /// (w, b).
  std::vector<double> run(StopPoll& stop) {
    const double scale = *std::max_element(c_.begin(), c_.end());
    for (int step = 0; step < kMostSteps; ++step) {
      stop(rows_ * width_);
      const double gap = complementarity();
      const double residual = make_residuals();
      if (gap < kPrecision * std::max(1.0, scale) && residual < 1e-6) break;
      const Cholesky factor = make_system(stop);
      // Predictor: how far could one go without staying clear of the bounds?
      find_direction(factor, 0.0, false);
      const double reach = longest_step();
      const double after = complementarity_after(reach);
      const double centring = std::pow(after / gap, 3);
      find_direction(factor, centring * gap, true);
      move(kShorten * longest_step());
    }
    return wb_;
  }

 private:
  double row_product(std::size_t i, const std::vector<double>& x) const {
    return std::inner_product(x.begin(), x.end(),
                              z_.begin() + static_cast<std::ptrdiff_t>(i * width_), 0.0);
  }
  double complementarity() const {
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) sum += a_[i] * s_[i] + (c_[i] - a_[i]) * v_[i];
    return sum / static_cast<double>(2 * rows_);
  }
  double complementarity_after(double step) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double a = a_[i] + step * da_[i];
      sum += a * (s_[i] + step * ds_[i]) + (c_[i] - a) * (v_[i] + step * dv_[i]);
    }
    return sum / static_cast<double>(2 * rows_);
  }

  /// What the conditions of an optimum are missed by; the largest of the stationarity's.
  double make_residuals() {
    // w must be what the dual variables say, their sum by sides zero.
    missing_.assign(width_, 0.0);
    dual_.resize(rows_);
    double largest = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < width_; ++k) missing_[k] += a_[i] * z_[i * width_ + k];
      dual_[i] = row_product(i, wb_) - 1 - s_[i] + v_[i];
      largest = std::max(largest, std::abs(dual_[i]));
    }
    for (std::size_t k = 0; k + 1 < width_; ++k) {
      missing_[k] -= wb_[k];
      largest = std::max(largest, std::abs(missing_[k]) / (1 + std::abs(wb_[k])));
    }
    const double scale = *std::max_element(c_.begin(), c_.end());
    return std::max(largest, std::abs(missing_.back()) / (1 + scale));
  }

  Cholesky make_system(StopPoll& stop) {
    weight_.resize(rows_);
    std::vector<double> matrix(width_ * width_, 0.0);
    for (std::size_t k = 0; k + 1 < width_; ++k) matrix[k * width_ + k] = 1;
    for (std::size_t i = 0; i < rows_; ++i) {
      stop(width_ * width_ / 16);
      weight_[i] = 1 / (s_[i] / a_[i] + v_[i] / (c_[i] - a_[i]));
      const double* row = z_.data() + i * width_;
      for (std::size_t k = 0; k < width_; ++k) {
        const double value = weight_[i] * row[k];
        for (std::size_t m = 0; m <= k; ++m) matrix[k * width_ + m] += value * row[m];
      }
    }
    return Cholesky(std::move(matrix), width_);
  }

  void find_direction(const Cholesky& factor, double target, bool corrected) {
    std::vector<double> right(rows_);
    std::vector<double> lower(rows_);
    std::vector<double> upper(rows_);
    dwb_.assign(missing_.begin(), missing_.end());
    for (std::size_t i = 0; i < rows_; ++i) {
      const double room = c_[i] - a_[i];
      lower[i] = target - a_[i] * s_[i] - (corrected ? da_[i] * ds_[i] : 0);
      upper[i] = target - room * v_[i] + (corrected ? da_[i] * dv_[i] : 0);
      right[i] = -dual_[i] + lower[i] / a_[i] - upper[i] / room;
      for (std::size_t k = 0; k < width_; ++k) {
        dwb_[k] += weight_[i] * right[i] * z_[i * width_ + k];
      }
    }
    factor.solve(dwb_);
    da_.resize(rows_);
    ds_.resize(rows_);
    dv_.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      da_[i] = weight_[i] * (right[i] - row_product(i, dwb_));
      ds_[i] = (lower[i] - s_[i] * da_[i]) / a_[i];
      dv_[i] = (upper[i] + v_[i] * da_[i]) / (c_[i] - a_[i]);
    }
  }

  double longest_step() const {
    double step = 1;
    const auto limit = [&](double value, double change) {
      if (change < 0) step = std::min(step, -value / change);
    };
    for (std::size_t i = 0; i < rows_; ++i) {
      limit(a_[i], da_[i]);
      limit(c_[i] - a_[i], -da_[i]);
      limit(s_[i], ds_[i]);
      limit(v_[i], dv_[i]);
    }
    return step;
  }

  void move(double step) {
    for (std::size_t k = 0; k < width_; ++k) wb_[k] += step * dwb_[k];
    for (std::size_t i = 0; i < rows_; ++i) {
      a_[i] = std::clamp(a_[i] + step * da_[i], 1e-14 * c_[i], (1 - 1e-14) * c_[i]);
      s_[i] += step * ds_[i];
      v_[i] += step * dv_[i];
    }
  }

  std::vector<double> z_;  // rows times their side
  std::vector<double> c_;
  std::size_t rows_;
  std::size_t width_;       // features and the constant
  std::vector<double> wb_;  // w, then b
  std::vector<double> a_, s_, v_;
  std::vector<double> dwb_, da_, ds_, dv_;
  std::vector<double> missing_, dual_, weight_;
};

}  // namespace

NarrowSvmTrainer::NarrowSvmTrainer(const SparseMatrix& rows, std::span<const int> labels,
                                   int classes)
    : labels_(labels.begin(), labels.end()), classes_(classes), columns_(rows.columns) {
  const auto width = static_cast<std::size_t>(columns_) + 1;
  features_.assign(rows.rows() * width, 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double* row = features_.data() + i * width;
    for (const auto& entry : rows.row(i)) row[entry.column] = entry.value;
    row[width - 1] = 1;
  }
}

LinearModel NarrowSvmTrainer::train(double cost, bool balanced, StopPoll stop) const {
  const auto solve = [&](std::size_t, const Sides& sides, std::vector<double>& weights) {
    std::vector<double> costs;
    for (const double side : sides.of_row) {
      costs.push_back(cost * (balanced ? sides.balance[side > 0 ? 0 : 1] : 1.0));
    }
    weights = InteriorPoint(features_, sides.of_row, std::move(costs)).run(stop);
  };
  return train_machines(labels_, classes_, columns_, solve);
}

}  // namespace bermuda
