#pragma once

#include <cstddef>
#include <span>

namespace bermuda {

struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % Wilson score interval of a share (Wilson 1927): stays inside 0..1 and is honest for shares
/// near 0 and 1, where the normal approximation is not.
Interval wilson_interval(std::size_t right, std::size_t total);

struct Difference {
  double value = 0;
  Interval interval;
  double z = 0;  ///< McNemar's statistic: the value in standard deviations under no difference
};

/// Accuracy of `first` minus that of `second` on the same items, with the 95 % interval of paired
/// shares: only items that exactly one of them has right count (McNemar 1947).
Difference paired_difference(std::span<const int> truth, std::span<const int> first,
                             std::span<const int> second);

}  // namespace bermuda
