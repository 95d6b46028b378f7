#include "bermuda/statistics/significance.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace bermuda {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kUpper = 0.975;
constexpr double kRoundingShare = 1e-9;  // a deviation below this share of the mean is rounding

double mean_of(std::span<const double> figures) {
  return std::accumulate(figures.begin(), figures.end(), 0.0) / static_cast<double>(figures.size());
}

double variance_of(std::span<const double> figures, double mean) {
  double sum = 0;
  for (const double figure : figures) sum += (figure - mean) * (figure - mean);
  return sum / static_cast<double>(figures.size() - 1);
}

double corrected_error(double variance, std::size_t folds, double test_share) {
  return std::sqrt((1 / static_cast<double>(folds) + test_share) * variance);
}

boost::math::students_t student(std::size_t folds) {
  return boost::math::students_t(static_cast<double>(folds - 1));
}

}  // namespace

FoldSummary summarise_folds(std::span<const double> figures, double test_share) {
  if (figures.empty()) return {kNone, kNone, kNone, kNone};
  const double mean = mean_of(figures);
  if (figures.size() < 2) return {mean, kNone, kNone, kNone};
  const double variance = variance_of(figures, mean);
  const double half = boost::math::quantile(student(figures.size()), kUpper) *
                      corrected_error(variance, figures.size(), test_share);
  return {mean, std::sqrt(variance), mean - half, mean + half};
}

double corrected_t_test(std::span<const double> differences, double test_share) {
  if (differences.size() < 2) return kNone;
  const double mean = mean_of(differences);
  const double error =
      corrected_error(variance_of(differences, mean), differences.size(), test_share);
  if (mean == 0) return 1;
  if (error <= kRoundingShare * std::abs(mean)) return kNone;
  const double t = std::abs(mean / error);
  return 2 * boost::math::cdf(boost::math::complement(student(differences.size()), t));
}

double mcnemar_test(std::size_t only_first, std::size_t only_second) {
  const std::size_t total = only_first + only_second;
  if (total == 0) return 1;
  const boost::math::binomial fair(static_cast<double>(total), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(fair, fewer));
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.begin(), p_values.end());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::min(1.0, std::max(largest, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace bermuda
