#include "bermuda/statistics/sign_flip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bermuda {
namespace {

constexpr std::size_t kColumns = 5;
constexpr std::size_t kDraws = 256;

/// The first column has this mean and deviation, the others 0 and 1.
std::vector<double> normals(std::uint64_t item, double mean = 0, double deviation = 1) {
  RandomStream random(7, Purpose::kTest, item);
  std::vector<double> values(kColumns * kDraws);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = random.normal();
    if (i % kColumns == 0) values[i] = mean + deviation * values[i];
  }
  return values;
}

SignFlipResult test(const std::vector<double>& one, const std::vector<double>& other,
                    std::uint64_t item = 0, const SignFlipOptions& options = {}) {
  return sign_flip_test(one, other, kColumns, options, RandomStream(1, Purpose::kTest, item));
}

TEST(SignFlip, FindsAnotherMeanAndAnotherSpread) {
  EXPECT_TRUE(test(normals(1), normals(2, 1)).differ);
  EXPECT_TRUE(test(normals(1), normals(2, 0, 2)).differ);
  EXPECT_TRUE(test(normals(1, 0, 2), normals(2)).differ);
  EXPECT_EQ(test(normals(1), normals(2, 1)).flips, 99'999);
  EXPECT_FALSE(test(normals(1), normals(2)).differ);
}

TEST(SignFlip, KeepsItsLevel) {
  // At a level of 1/20, of 4000 pairs without a difference 200 give or take 14 are found.
  int found = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    found += test(normals(2 * i + 10), normals(2 * i + 11), i, {.flips = 19}).differ ? 1 : 0;
  }
  EXPECT_NEAR(found, 200, 60);
  // Skew, and columns that are copies of each other, which no inverse of a covariance survives.
  found = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    auto one = normals(2 * i + 10);
    auto other = normals(2 * i + 11);
    for (auto* values : {&one, &other}) {
      for (std::size_t at = 0; at < values->size(); ++at) {
        (*values)[at] = at % kColumns == 0 ? std::exp((*values)[at]) : (*values)[at - 1];
      }
    }
    found += test(one, other, i, {.flips = 19}).differ ? 1 : 0;
  }
  EXPECT_NEAR(found, 200, 60);
}

TEST(SignFlip, RoundingIsNoDifference) {
  auto one = normals(1);
  auto other = one;
  EXPECT_FALSE(test(one, other).differ);
  for (double& value : other) value += 1e-12;
  EXPECT_FALSE(test(one, other).differ);
  EXPECT_EQ(test(one, other).statistic, 0);
  for (double& value : other) value += 1e-3;
  EXPECT_TRUE(test(one, other).differ);  // the same draws, moved
}

TEST(SignFlip, FewDrawsFindNothing) {
  const std::vector<double> zeros(kColumns * 10, 0);
  const std::vector<double> ones(kColumns * 10, 1);
  EXPECT_FALSE(test(zeros, ones).differ);  // 2^-9 of all flips keep all signs
  const std::vector<double> more_zeros(kColumns * kDraws, 0);
  const std::vector<double> more_ones(kColumns * kDraws, 1);
  EXPECT_TRUE(test(more_zeros, more_ones).differ);
}

TEST(SignFlip, CanBeStopped) {
  const std::atomic<bool> stop = true;
  EXPECT_THROW(sign_flip_test(normals(1), normals(2, 1), kColumns, {},
                              RandomStream(1, Purpose::kTest), Execution{.stop = &stop}),
               Interrupted);
}

}  // namespace
}  // namespace bermuda
