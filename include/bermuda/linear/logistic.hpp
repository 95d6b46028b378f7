#pragma once

#include <memory>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/linear/presence_rows.hpp"

namespace bermuda {

class Curvature;

/// How often each row stands in the training data, and how often with class 1.
struct RowCounts {
  std::vector<double> total;
  std::vector<double> ones;
};

struct LogisticOptions {
  double cost = 1.0;        ///< C: inverse strength of the L2 penalty
  double tolerance = 1e-4;  ///< of the gradient's length, relative to that at zero weights
  int most_passes = 1000;   ///< over the rows; what is reached by then is the result
};

struct LogisticFit {
  std::vector<double> weights;                 ///< one per column, then the intercept
  std::shared_ptr<const Curvature> curvature;  ///< what another fit to similar counts starts with

  double score(std::span<const std::uint32_t> row) const;  ///< positive: class 1 is likelier
  /// That rows first, first + 1, ... are of class 1.
  void chances(const PresenceRows& rows, std::size_t first, std::span<double> result) const;
};

/// Logistic regression that is the same bits on every processor, compiler and level of
/// optimisation: minimises |w|^2 / 2 + C sum over rows (total log(1 + e^s) - ones s), s the row's
/// score; the intercept is penalised like every weight.
///
/// Every sum has one order, and nothing but +, -, *, / and sqrt of double precision is used: no
/// BLAS, no C library's exp. L-BFGS whose first guess of the inverse curvature is a Cholesky
/// factor of the Hessian (of the most frequent columns; the diagonal for the others), made anew
/// when the gradient has fallen a good deal. `start` is a fit to similar counts: its weights and
/// its curvature save most of the work. Time per pass in proportion to the entries of the rows
/// that have a count.
LogisticFit fit_logistic(const PresenceRows& rows, const RowCounts& counts,
                         const LogisticOptions& options, const Execution& execution,
                         const LogisticFit* start = nullptr);

}  // namespace bermuda
