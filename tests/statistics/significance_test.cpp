#include "bermuda/statistics/significance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bermuda {
namespace {

// Reference figures by SciPy 1.10: t.sf, t.ppf, binomtest; the corrected variance by its formula.
TEST(Statistics, CorrectedTTestEqualsReference) {
  const std::vector<double> differences = {1.2, 0.4, 2.0, -0.3, 0.9, 1.5, 0.7, 1.1, 0.2, 1.3};
  EXPECT_NEAR(corrected_t_test(differences, 1.0 / 9), 0.01733294459773508, 1e-12);
  EXPECT_TRUE(std::isnan(corrected_t_test(std::vector<double>{1.0}, 0.1)));
  EXPECT_EQ(corrected_t_test(std::vector<double>{0, 0, 0}, 0.1), 1);
  EXPECT_TRUE(std::isnan(corrected_t_test(std::vector<double>{2, 2, 2}, 0.1)));
  EXPECT_TRUE(std::isnan(corrected_t_test(std::vector<double>{0.3 - 0.1, 0.2, 0.2}, 0.1)));
  EXPECT_GT(corrected_t_test(std::vector<double>{2, 2, 2.0001}, 0.1), 0);
}

TEST(Statistics, FoldsAreSummarised) {
  const FoldSummary three = summarise_folds(std::vector<double>{78.5, 77.1, 80.2}, 1.0 / 9);
  EXPECT_NEAR(three.mean, 78.6, 1e-12);
  EXPECT_NEAR(three.deviation, 1.5524174696260065, 1e-12);
  EXPECT_NEAR(three.low, 74.14699115756781, 1e-9);
  EXPECT_NEAR(three.high, 83.0530088424322, 1e-9);
  const FoldSummary one = summarise_folds(std::vector<double>{50}, 0.1);
  EXPECT_EQ(one.mean, 50);
  EXPECT_TRUE(std::isnan(one.deviation));
  EXPECT_TRUE(std::isnan(one.low));
}

TEST(Statistics, McNemarEqualsReference) {
  EXPECT_NEAR(mcnemar_test(5, 12), 0.143463134765625, 1e-12);
  EXPECT_NEAR(mcnemar_test(12, 5), 0.143463134765625, 1e-12);
  EXPECT_NEAR(mcnemar_test(0, 10), 0.001953125, 1e-12);
  EXPECT_NEAR(mcnemar_test(40, 60), 0.05688793364098088, 1e-12);
  EXPECT_EQ(mcnemar_test(0, 0), 1);
  EXPECT_EQ(mcnemar_test(7, 7), 1);
}

TEST(Statistics, HolmByHand) {
  // Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1, and never falling.
  EXPECT_THAT(holm(std::vector<double>{0.01, 0.04, 0.03, 0.005}),
              testing::Pointwise(testing::DoubleNear(1e-12), {0.03, 0.06, 0.06, 0.02}));
  const std::vector<double> with_gap = holm(std::vector<double>{0.6, std::nan(""), 0.02});
  EXPECT_DOUBLE_EQ(with_gap[0], 0.6);
  EXPECT_TRUE(std::isnan(with_gap[1]));
  EXPECT_DOUBLE_EQ(with_gap[2], 0.04);
  EXPECT_THAT(holm({}), testing::IsEmpty());
}

// Under the hypothesis that nothing differs, a test at 5 % must not cry out more often than that.
TEST(Statistics, FalseAlarmsAreRare) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise;
  int alarms = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> differences(10);
    for (double& difference : differences) difference = noise(random);
    alarms += corrected_t_test(differences, 0) < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(alarms / 4000.0, 0.05, 0.012);
}

}  // namespace
}  // namespace bermuda
