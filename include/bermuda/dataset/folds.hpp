#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bermuda {

/// Of a method's evaluation. The folds are the same for every method and every run seed.
inline constexpr int kEvaluationFolds = 10;
inline constexpr std::uint64_t kFoldSeed = 1;

/// Folds with the same share of every class, as far as that divides.
struct Folds {
  int count = 0;
  std::vector<int> fold_of;
  std::vector<std::size_t> order;  ///< all items, class by class, in random order inside a class
};

Folds stratified_folds(std::span<const int> labels, int classes, int count, std::uint64_t seed);

/// The same, where items of one group (equal numbers in `groups`) must be in the same fold: large
/// groups first, each where it leaves classes and sizes most even. Single items come last and fill
/// up what the groups have left uneven; where all are single, these are the stratified folds.
/// O(items log items + groups x folds x classes of the group).
Folds grouped_folds(std::span<const int> labels, std::span<const std::size_t> groups, int classes,
                    int count, std::uint64_t seed);

}  // namespace bermuda
