#include "curvature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace bermuda {
namespace {

// target[j] -= line[i] line[j] for each of the lines in turn, j = i..end-1.
void subtract_four(const std::array<const double*, 4>& lines, std::size_t i, std::size_t end,
                   double* target) {
  const auto [a, b, c, d] = lines;
  const double by_a = a[i];
  const double by_b = b[i];
  const double by_c = c[i];
  const double by_d = d[i];
  for (std::size_t j = i; j < end; ++j) {
    target[j] = (((target[j] - by_a * a[j]) - by_b * b[j]) - by_c * c[j]) - by_d * d[j];
  }
}

}  // namespace

Curvature::Curvature(const PresenceRows& rows, std::span<const double> curvature, StopPoll stop)
    : diagonal_(rows.columns + 1, 1.0) {
  std::vector<std::size_t> frequency(rows.columns + 1, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (curvature[i] == 0) continue;
    for (const std::uint32_t column : rows.row(i)) ++frequency[column];
  }
  frequency.back() = rows.rows() + 1;  // the intercept is in every row, and always has a place
  column_at_.resize(frequency.size());
  std::iota(column_at_.begin(), column_at_.end(), 0U);
  std::stable_sort(column_at_.begin(), column_at_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
  dense_ = std::min(kDense, column_at_.size());
  column_at_.resize(dense_);
  // Rare columns first: the factor's first lines are then mostly zeros, which cost nothing.
  std::reverse(column_at_.begin(), column_at_.end());
  place_of_.assign(frequency.size(), static_cast<std::uint32_t>(dense_));
  for (std::uint32_t place = 0; place < dense_; ++place) place_of_[column_at_[place]] = place;
  // Lines that begin a power of two apart would fight for the same few places in the cache.
  stride_ = dense_ + 8;
  factor_.assign(dense_ * stride_, 0.0);
  add_rows(rows, curvature, stop);
  factor();
}

void Curvature::add_rows(const PresenceRows& rows, std::span<const double> curvature,
                         StopPoll& stop) {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double weight = curvature[i];
    if (weight == 0) continue;
    places.clear();
    for (const std::uint32_t column : rows.row(i)) {
      if (place_of_[column] < dense_) {
        places.push_back(place_of_[column]);
      } else {
        diagonal_[column] += weight;
      }
    }
    places.push_back(place_of_.back());
    stop(places.size());
    for (std::size_t a = 0; a < places.size(); ++a) {
      double* const target = line(places[a]).data();
      for (std::size_t b = a; b < places.size(); ++b) target[places[b]] += weight;
    }
  }
  // A pair of columns comes in the order of the columns, above the diagonal or below it, but always
  // on the same side: the other is zero.
  for (std::size_t a = 0; a < dense_; ++a) {
    for (std::size_t b = 0; b < a; ++b) line(b)[a] += line(a)[b];
  }
}

void Curvature::factor() {
  constexpr std::size_t kPanel = 4;
  for (std::size_t k = 0; k < dense_; ++k) line(k)[k] += 1.0;
  // What the lines of a panel take from those below is taken in one sweep, in the order of the
  // lines: the same bits as line by line, with a quarter of the loads and stores.
  for (std::size_t first = 0; first < dense_; first += kPanel) {
    const std::size_t end = std::min(first + kPanel, dense_);
    for (std::size_t k = first; k < end; ++k) {
      const auto pivot = line(k);
      const double root = std::sqrt(pivot[k]);
      for (std::size_t j = k; j < dense_; ++j) pivot[j] /= root;
      for (std::size_t i = k + 1; i < end; ++i) {
        const double factor = pivot[i];
        const auto target = line(i);
        for (std::size_t j = i; j < dense_; ++j) target[j] -= factor * pivot[j];
      }
    }
    if (end - first < kPanel) break;  // the last lines: there is nothing below
    const double* const a = line(first).data();
    const double* const b = line(first + 1).data();
    const double* const c = line(first + 2).data();
    const double* const d = line(first + 3).data();
    for (std::size_t i = end; i < dense_; ++i) {
      if (a[i] == 0 && b[i] == 0 && c[i] == 0 && d[i] == 0) continue;
      subtract_four({a, b, c, d}, i, dense_, line(i).data());
    }
  }
}

void Curvature::divide(std::span<double> vector) const {
  std::vector<double> z(dense_);
  for (std::size_t i = 0; i < dense_; ++i) z[i] = vector[column_at_[i]];
  for (std::size_t column = 0; column < vector.size(); ++column) {
    if (place_of_[column] == dense_) vector[column] /= diagonal_[column];
  }
  for (std::size_t i = 0; i < dense_; ++i) {
    const auto row = line(i);
    z[i] /= row[i];
    for (std::size_t j = i + 1; j < dense_; ++j) z[j] -= z[i] * row[j];
  }
  for (std::size_t i = dense_; i-- > 0;) {
    const auto row = line(i);
    double rest = z[i];
    for (std::size_t j = i + 1; j < dense_; ++j) rest -= row[j] * z[j];
    z[i] = rest / row[i];
  }
  for (std::size_t i = 0; i < dense_; ++i) vector[column_at_[i]] = z[i];
}

}  // namespace bermuda
