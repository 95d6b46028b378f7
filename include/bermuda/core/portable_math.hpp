#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace bermuda {

/// e^x for x in [-700, 700] by additions, multiplications and nothing else, always in the same
/// order: the same bits on every processor. (The C library picks its exp by processor, and each
/// rounds differently.) The error is below one unit in the last place.
inline double portable_exp(double x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // so few bits that k times it is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  // x = k ln 2 + r, |r| <= ln 2 / 2; Taylor's series then needs 14 terms.
  // Without a branch, and in 32 bits, so that a compiler can work on several x at once.
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto half = std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & kSign) |
                                          std::bit_cast<std::uint64_t>(0.5));
  const auto k = static_cast<std::int32_t>(x * kLog2E + half);
  const double r = (x - static_cast<double>(k) * kLn2High) - static_cast<double>(k) * kLn2Low;
  constexpr std::array<double, 11> kInverseFactorials = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
  double tail = 1.0 / 6227020800.0;
  for (const double factor : kInverseFactorials) tail = tail * r + factor;
  const double sum = 1.0 + (r + r * r * tail);  // small things first
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(std::int64_t{k} + 1023) << 52);
}

/// 1 / (1 + e^-x), the same bits on every processor.
inline double portable_logistic(double x) {
  return 1.0 / (1.0 + portable_exp(-std::clamp(x, -700.0, 700.0)));
}

/// The same for many numbers, each replaced by its value: the same bits, several times as fast.
void portable_logistic(std::span<double> values);

}  // namespace bermuda
