#include "bermuda/statistics/intervals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bermuda {
namespace {

using ::testing::DoubleNear;

TEST(WilsonInterval, KnownValues) {
  // R: prop.test(8, 10, correct = FALSE) and so on.
  EXPECT_THAT(wilson_interval(8, 10).low, DoubleNear(0.490162, 1e-6));
  EXPECT_THAT(wilson_interval(8, 10).high, DoubleNear(0.943318, 1e-6));
  EXPECT_THAT(wilson_interval(50, 100).low, DoubleNear(0.403832, 1e-6));
  EXPECT_THAT(wilson_interval(50, 100).high, DoubleNear(0.596168, 1e-6));
  EXPECT_DOUBLE_EQ(wilson_interval(0, 10).low, 0.0);
  EXPECT_THAT(wilson_interval(0, 10).high, DoubleNear(0.277533, 1e-6));
  EXPECT_DOUBLE_EQ(wilson_interval(10, 10).high, 1.0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1.0);
}

TEST(PairedDifference, CountsOnlyDisagreements) {
  // 10 items: the first is right on 8, the second on 5; they disagree on 5 (4 to 1).
  const std::vector<int> truth(10, 1);
  const std::vector<int> first = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
  const std::vector<int> second = {1, 1, 1, 1, 0, 0, 0, 0, 1, 0};
  const Difference found = paired_difference(truth, first, second);
  EXPECT_DOUBLE_EQ(found.value, 0.3);
  EXPECT_THAT(found.interval.low, DoubleNear(0.3 - 1.959964 * std::sqrt(0.041), 1e-6));
  EXPECT_THAT(found.interval.high, DoubleNear(0.3 + 1.959964 * std::sqrt(0.041), 1e-6));
  EXPECT_DOUBLE_EQ(found.z, 3.0 / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(paired_difference(truth, first, first).interval.low, 0.0);
  EXPECT_DOUBLE_EQ(paired_difference(truth, first, first).z, 0.0);
}

}  // namespace
}  // namespace bermuda
