#include "bermuda/core/portable_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

// Distance from the truth (80 bits), in units of the last place of a double.
double error_of(double x) {
  const long double truth = std::exp(static_cast<long double>(x));
  const auto nearest = static_cast<double>(truth);
  const double unit = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return std::abs(static_cast<double>((static_cast<long double>(portable_exp(x)) - truth) /
                                      static_cast<long double>(unit)));
}

TEST(PortableExp, IsWithinOneUnitInTheLastPlace) {
  RandomStream random(1, Purpose::kTest);
  double worst = 0;
  for (int i = 0; i < 400000; ++i) {
    const double range = i % 2 == 0 ? 700 : 2;
    worst = std::max(worst, error_of((2 * random.uniform() - 1) * range));
  }
  for (int k = -1000; k <= 1000; ++k) {  // where the reduction changes over
    const double edge = (k + 0.5) * 0.69314718055994531;
    for (const double x : {edge, std::nextafter(edge, 0.0), std::nextafter(edge, 1000.0)}) {
      if (std::abs(x) <= 700) worst = std::max(worst, error_of(x));
    }
  }
  EXPECT_LT(worst, 1.0);
}

TEST(PortableExp, IsExactWhereItCanBe) {
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-0.0), 1.0);
  EXPECT_EQ(portable_logistic(0.0), 0.5);
}

// The bits themselves: a compiler that fuses or reorders operations changes some of them.
TEST(PortableExp, BitsArePinned) {
  RandomStream random(2, Purpose::kTest);
  std::uint64_t hash = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(portable_exp(40 * random.uniform() - 20));
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
  }
  EXPECT_EQ(hash, 0x61af7ef8f272d1a8U);
}

// Whatever the width of the registers, and at the ends of a block.
TEST(PortableLogistic, ManyAtOnceAreTheSameBits) {
  RandomStream random(3, Purpose::kTest);
  for (std::size_t count = 0; count < 300; ++count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double range = i % 3 == 0 ? 2000 : i % 3 == 1 ? 40 : 1e-3;
      values[i] = i % 17 == 5 ? 0.0 : (2 * random.uniform() - 1) * range;
    }
    std::vector<double> together = values;
    portable_logistic(together);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(together[i]),
                std::bit_cast<std::uint64_t>(portable_logistic(values[i])))
          << values[i];
    }
  }
}

TEST(PortableLogistic, SaturatesWithoutOverflow) {
  EXPECT_EQ(portable_logistic(1e300), 1.0);
  EXPECT_GT(portable_logistic(-1e300), 0.0);
  EXPECT_LT(portable_logistic(-1e300), 1e-300);
  for (const double x : {0.1, 1.0, 5.0, 30.0}) {
    EXPECT_NEAR(portable_logistic(x) + portable_logistic(-x), 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace bermuda
