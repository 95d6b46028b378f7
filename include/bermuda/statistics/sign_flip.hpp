#pragma once

#include <cstddef>
#include <span>

#include "bermuda/core/random.hpp"
#include "bermuda/core/stop.hpp"

namespace bermuda {

struct SignFlipOptions {
  int flips = 99'999;       ///< the level of the test is 1 / (flips + 1)
  int blocks = 64;          ///< that draws are added up in: as good, and faster
  double tolerance = 1e-8;  ///< of rounding: smaller differences count as none, see below
};

/// The fewest draws with which a test of so many flips can find anything.
inline constexpr std::size_t kFewestDraws = 20;

struct SignFlipResult {
  bool differ = false;
  double statistic = 0;  ///< largest studentised sum; about normal where there is no difference
  int flips = 0;         ///< that were tried
};

/// Do two random vectors have the same distribution? `first` and `second` hold draws of each,
/// independent of each other, draw by draw with so many columns. Where both have the same
/// distribution, first and second can be swapped in any draw: the sign of its difference is a coin.
/// The statistic is the largest of |sum of differences| / sqrt(sum of their squares) over the
/// columns and over the columns' squared deviations from the mean of both. They differ when no flip
/// of signs reaches it: exact for any number of draws and columns, and no matrix is inverted. The
/// first flip that does reach it ends the test.
///
/// A difference of at most tolerance times the column's largest number is rounding, thus 0.
SignFlipResult sign_flip_test(std::span<const double> first, std::span<const double> second,
                              std::size_t columns, const SignFlipOptions& options,
                              RandomStream random, StopPoll stop = {});

}  // namespace bermuda
