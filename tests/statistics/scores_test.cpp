#include "bermuda/statistics/scores.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bermuda {
namespace {

TEST(MacroF1, ByHand) {
  const std::vector<int> truth = {0, 0, 0, 1, 1, 2};
  const std::vector<int> predicted = {0, 0, 1, 1, 0, 2};
  EXPECT_DOUBLE_EQ(macro_f1(truth, predicted, 3), (4.0 / 6 + 2.0 / 4 + 1.0) / 3);
  EXPECT_DOUBLE_EQ(macro_f1(truth, predicted, 4), macro_f1(truth, predicted, 3));
  EXPECT_DOUBLE_EQ(macro_f1(truth, std::vector<int>(6, 1), 3), (2.0 * 2 / 8) / 3);
}

}  // namespace
}  // namespace bermuda
