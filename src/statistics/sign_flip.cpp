#include "bermuda/statistics/sign_flip.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bermuda {
namespace {

/// Differences of blocks of draws, [block][column], columns of length 1; those that are 0 left out.
class BlockDifferences {
 public:
  BlockDifferences(std::span<const double> first, std::span<const double> second,
                   std::size_t columns, const SignFlipOptions& options)
      : draws_(columns == 0 ? 0 : first.size() / columns),
        blocks_(std::min(draws_, static_cast<std::size_t>(options.blocks))) {
    std::vector<double> a(draws_);
    std::vector<double> b(draws_);
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < draws_; ++i) {
        a[i] = first[i * columns + c];
        b[i] = second[i * columns + c];
        sum += a[i] + b[i];
      }
      add(a, b, options.tolerance);
      // Neither the mean nor what follows changes when a draw's two are swapped.
      const double mean = sum / (2 * static_cast<double>(draws_));
      for (std::size_t i = 0; i < draws_; ++i) {
        a[i] = (a[i] - mean) * (a[i] - mean);
        b[i] = (b[i] - mean) * (b[i] - mean);
      }
      add(a, b, options.tolerance);
    }
  }

  std::size_t blocks() const { return blocks_; }
  bool empty() const { return columns_.empty(); }

  /// The largest |sum| over the columns, with these signs of blocks.
  double statistic(const std::vector<double>& signs) const {
    double largest = 0;
    for (const std::vector<double>& column : columns_) {
      double sum = 0;
      for (std::size_t i = 0; i < blocks_; ++i) sum += signs[i] * column[i];
      largest = std::max(largest, std::abs(sum));
    }
    return largest;
  }

 private:
  void add(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    double scale = 0;
    for (std::size_t i = 0; i < draws_; ++i) {
      scale = std::max({scale, std::abs(a[i]), std::abs(b[i])});
    }
    std::vector<double> column(blocks_, 0);
    double squares = 0;
    for (std::size_t i = 0; i < draws_; ++i) {
      const double difference = a[i] - b[i];
      if (std::abs(difference) > tolerance * scale) column[i * blocks_ / draws_] += difference;
    }
    for (const double value : column) squares += value * value;
    if (!(squares > 0) || !std::isfinite(squares)) return;
    for (double& value : column) value /= std::sqrt(squares);
    columns_.push_back(std::move(column));
  }

  std::size_t draws_;
  std::size_t blocks_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace

SignFlipResult sign_flip_test(std::span<const double> first, std::span<const double> second,
                              std::size_t columns, const SignFlipOptions& options,
                              RandomStream random, StopPoll stop) {
  // A flip that gives the same sums in another order shall reach them.
  constexpr double kSlack = 1 - 1e-12;
  const BlockDifferences differences(first, second, columns, options);
  SignFlipResult result;
  if (differences.empty()) return result;
  std::vector<double> signs(differences.blocks(), 1);
  result.statistic = differences.statistic(signs);
  std::uint64_t bits = 0;
  for (; result.flips < options.flips; ++result.flips) {
    stop(differences.blocks());
    for (std::size_t i = 0; i < signs.size(); ++i) {
      if (i % 64 == 0) bits = random.next_u64();
      signs[i] = (bits >> (i % 64) & 1) != 0 ? 1 : -1;
    }
    if (differences.statistic(signs) >= result.statistic * kSlack) return result;
  }
  result.differ = true;
  return result;
}

}  // namespace bermuda
