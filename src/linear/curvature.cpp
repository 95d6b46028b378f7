#include "curvature.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bermuda {

Curvature::Curvature(const PresenceRows& rows, std::span<const double> curvature)
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
  factor_.assign(dense_ * dense_, 0.0);
  add_rows(rows, curvature);
  factor();
}

void Curvature::add_rows(const PresenceRows& rows, std::span<const double> curvature) {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double weight = curvature[i];
    if (weight == 0) continue;
    places.assign(1, place_of_.back());
    for (const std::uint32_t column : rows.row(i)) {
      if (place_of_[column] < dense_) {
        places.push_back(place_of_[column]);
      } else {
        diagonal_[column] += weight;
      }
    }
    std::sort(places.begin(), places.end());
    for (std::size_t a = 0; a < places.size(); ++a) {
      double* const target = line(places[a]).data();
      for (std::size_t b = a; b < places.size(); ++b) target[places[b]] += weight;
    }
  }
}

void Curvature::factor() {
  for (std::size_t k = 0; k < dense_; ++k) line(k)[k] += 1.0;
  for (std::size_t k = 0; k < dense_; ++k) {
    const auto pivot = line(k);
    const double root = std::sqrt(pivot[k]);
    for (std::size_t j = k; j < dense_; ++j) pivot[j] /= root;
    for (std::size_t i = k + 1; i < dense_; ++i) {
      const double factor = pivot[i];
      if (factor == 0) continue;
      const auto target = line(i);
      for (std::size_t j = i; j < dense_; ++j) target[j] -= factor * pivot[j];
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
