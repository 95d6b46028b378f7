#include "bermuda/statistics/intervals.hpp"

#include <algorithm>
#include <cmath>

namespace bermuda {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // of 97.5 %

}  // namespace

Interval wilson_interval(std::size_t right, std::size_t total) {
  if (total == 0) return {0, 1};
  const auto n = static_cast<double>(total);
  const double share = static_cast<double>(right) / n;
  const double z2 = kNormalQuantile * kNormalQuantile;
  const double middle = share + z2 / (2 * n);
  const double spread = kNormalQuantile * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::max(0.0, (middle - spread) / (1 + z2 / n)),
          std::min(1.0, (middle + spread) / (1 + z2 / n))};
}

Difference paired_difference(std::span<const int> truth, std::span<const int> first,
                             std::span<const int> second) {
  std::size_t only_first = 0;
  std::size_t only_second = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool a = first[i] == truth[i];
    const bool b = second[i] == truth[i];
    if (a && !b) ++only_first;
    if (b && !a) ++only_second;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(truth.size(), 1));
  const double won = static_cast<double>(only_first) / n;
  const double lost = static_cast<double>(only_second) / n;
  const double value = won - lost;
  const double spread = kNormalQuantile * std::sqrt(std::max(0.0, won + lost - value * value) / n);
  const double z = won + lost > 0 ? value * std::sqrt(n / (won + lost)) : 0.0;
  return {value, {value - spread, value + spread}, z};
}

}  // namespace bermuda
