#include "bermuda/method/explanation.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace bermuda {
namespace {

using Flags = std::vector<bool>;

void expect_equal(const TopEdges& found, const TopEdges& expected) {
  EXPECT_EQ(found.hits, expected.hits);
  EXPECT_EQ(found.any, expected.any);
  EXPECT_EQ(found.all, expected.all);
}

TEST(TopEdges, WithoutTiesAreThoseOfLargestWeight) {
  const std::vector<double> weights = {0.1, 0.9, 0.5, 0.7, 0};
  expect_equal(top_edges(weights, {false, true, false, true, true}, 2), {2, 1, 1});
  expect_equal(top_edges(weights, {false, true, false, true, true}, 3), {2, 1, 0});
  expect_equal(top_edges(weights, {true, false, false, false, true}, 3), {0, 0, 0});
  expect_equal(top_edges(weights, {false, false, false, true, false}, 1), {0, 0, 0});
}

TEST(TopEdges, OfAGraphWithFewerAreAllOfThem) {
  expect_equal(top_edges(std::vector{0.5, 0.1}, {true, true}, 3), {2, 1, 1});
  expect_equal(top_edges(std::vector{0.5, 0.1}, {false, true}, 3), {1, 1, 0});
  expect_equal(top_edges(std::vector<double>(), {}, 3), {0, 0, 0});
}

TEST(TopEdges, TiesCountByWhatIsExpected) {
  // One is certain, two of the three 0.5 are drawn, one of these is in the witness.
  const std::vector<double> weights = {1, 0.5, 0.5, 0.5, 0.1};
  const TopEdges hit = top_edges(weights, {true, true, false, false, true}, 3);
  EXPECT_DOUBLE_EQ(hit.hits, 1 + 2.0 / 3);
  EXPECT_EQ(hit.any, 1);
  EXPECT_EQ(hit.all, 0);
  const TopEdges missed = top_edges(weights, {false, true, false, false, true}, 3);
  EXPECT_DOUBLE_EQ(missed.any, 2.0 / 3);
  EXPECT_DOUBLE_EQ(top_edges(weights, {true, true, true, false, false}, 3).all, 1.0 / 3);
}

TEST(TopEdges, RoundingMakesNoDifference) {
  const std::vector<double> weights = {0.5, 0.5 + 1e-8, 0.5 - 1e-8, 0.5};
  expect_equal(top_edges(weights, {true, false, true, false}, 2), random_edges(4, 2, 2));
  expect_equal(top_edges(std::vector<double>(4, 0), {true, false, true, false}, 2),
               random_edges(4, 2, 2));
}

/// All ways to draw k of m edges, the first w of which are the witness.
TopEdges by_enumeration(unsigned m, unsigned w, int k) {
  TopEdges sum;
  double ways = 0;
  for (unsigned set = 0; set < 1U << m; ++set) {
    if (std::popcount(set) != k) continue;
    const int hits = std::popcount(set & ((1U << w) - 1));
    ways += 1;
    sum.hits += hits;
    sum.any += hits > 0 ? 1 : 0;
    sum.all += hits == k ? 1 : 0;
  }
  return {sum.hits / ways, sum.any / ways, sum.all / ways};
}

TEST(RandomEdges, AgreeWithAllDraws) {
  for (unsigned m = 1; m <= 9; ++m) {
    for (unsigned w = 0; w <= m; ++w) {
      for (int k = 1; k <= static_cast<int>(m); ++k) {
        const TopEdges found = random_edges(m, w, k);
        const TopEdges expected = by_enumeration(m, w, k);
        EXPECT_NEAR(found.hits, expected.hits, 1e-12) << m << ' ' << w << ' ' << k;
        EXPECT_NEAR(found.any, expected.any, 1e-12) << m << ' ' << w << ' ' << k;
        EXPECT_NEAR(found.all, expected.all, 1e-12) << m << ' ' << w << ' ' << k;
        Flags flags(m, false);
        std::fill_n(flags.begin(), w, true);
        expect_equal(top_edges(std::vector<double>(m, 0.3), flags, k), found);
      }
    }
  }
}

TEST(TopEdgesMean, CountsGraphsAlike) {
  TopEdgesMean mean(3);
  mean.add({3, 1, 1}, 40);
  mean.add({1, 1, 0}, 2);  // of two edges
  mean.add({0, 0, 0}, 0);  // no edges, no graph
  const TopEdgesSummary summary = mean.summary();
  EXPECT_EQ(summary.graphs, 2U);
  EXPECT_DOUBLE_EQ(summary.share, 0.75);
  EXPECT_DOUBLE_EQ(summary.any, 1);
  EXPECT_DOUBLE_EQ(summary.all, 0.5);
}

}  // namespace
}  // namespace bermuda
