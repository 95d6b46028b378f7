#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bermuda {

/// Folds with the same share of every class, as far as that divides.
struct Folds {
  int count = 0;
  std::vector<int> fold_of;
  std::vector<std::size_t> order;  ///< all items, class by class, in random order inside a class
};

Folds stratified_folds(std::span<const int> labels, int classes, int count, std::uint64_t seed);

/// F1 of one class: 2 hits / (actual + claimed); 0 when the class neither occurs nor is claimed.
double class_f1(std::span<const int> truth, std::span<const int> predicted, int label);
/// Mean F1 over the classes that occur.
double macro_f1(std::span<const int> truth, std::span<const int> predicted, int classes);

struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % Wilson score interval of a share (Wilson 1927): stays inside 0..1 and is honest for shares
/// near 0 and 1, where the normal approximation is not.
Interval wilson_interval(std::size_t right, std::size_t total);

}  // namespace bermuda
