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

}  // namespace bermuda
