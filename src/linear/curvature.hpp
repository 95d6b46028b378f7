#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/linear/presence_rows.hpp"

namespace bermuda {

/// The Hessian of a logistic regression, I + sum over rows of curvature[row] x x^T with a last
/// column of ones for the intercept, factored: exact among the most frequent columns, its diagonal
/// for the others. Costs the squares of the rows' lengths, and a third of the cube of kDense.
class Curvature {
 public:
  static constexpr std::size_t kDense = 1024;

  Curvature(const PresenceRows& rows, std::span<const double> curvature, StopPoll stop = {});

  /// Multiplies the vector by the inverse.
  void divide(std::span<double> vector) const;

 private:
  void add_rows(const PresenceRows& rows, std::span<const double> curvature, StopPoll& stop);
  void factor();
  std::span<double> line(std::size_t place) {
    return std::span(factor_).subspan(place * stride_, dense_);
  }
  std::span<const double> line(std::size_t place) const {
    return std::span(factor_).subspan(place * stride_, dense_);
  }

  std::vector<std::uint32_t> place_of_;  // column -> place in the factor; dense_: has none
  std::vector<std::uint32_t> column_at_;
  std::size_t dense_ = 0;
  std::size_t stride_ = 0;        // of the factor's lines
  std::vector<double> factor_;    // U of U^T U, row by row
  std::vector<double> diagonal_;  // of columns without a place
};

}  // namespace bermuda
