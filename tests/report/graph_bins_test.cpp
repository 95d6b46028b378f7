#include "bermuda/report/graph_bins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/generate/task.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GraphBins, DistanceIsWhatMakesTheClass) {
  const std::unique_ptr<Task> task = make_task("clique-distance");
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Sample sample = task->make(7, i);
    const int distance = witness_distance(sample.witness);
    EXPECT_GE(distance, 1) << sample.id;
    EXPECT_EQ(distance >= 4, sample.label == 1) << sample.id;
  }
  EXPECT_EQ(witness_distance({{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}}), 0);
  EXPECT_EQ(witness_distance({}), 0);
}

TEST(GraphBins, IndependentCycles) {
  EXPECT_EQ(independent_cycles(Graph(0, {})), 0);
  EXPECT_EQ(independent_cycles(Graph(4, {{0, 1}, {1, 2}, {2, 3}})), 0);
  EXPECT_EQ(independent_cycles(Graph(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}})), 1);
  // Two parts: a triangle, and four nodes that are all joined.
  EXPECT_EQ(independent_cycles(
                Graph(7, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {3, 6}, {4, 5}, {4, 6}, {5, 6}})),
            1 + 3);
}

TEST(GraphBins, QuantilesKeepEqualValuesTogether) {
  const Bins even = quantile_bins(std::vector{8, 1, 2, 3, 4, 5, 6, 7}, 4);
  EXPECT_THAT(even.names, ElementsAre("1-2", "3-4", "5-6", "7-8"));
  EXPECT_THAT(even.bin_of, ElementsAre(3, 0, 0, 1, 1, 2, 2, 3));
  const Bins uneven = quantile_bins(std::vector{5, 5, 5, 5, 5, 9}, 3);
  EXPECT_THAT(uneven.names, ElementsAre("5", "9"));
  EXPECT_THAT(quantile_bins(std::vector{4, 4}, 6).names, ElementsAre("4"));
  EXPECT_THAT(quantile_bins(std::vector<int>{}, 6).names, IsEmpty());
}

TEST(GraphBins, OneBinAValueAndTheLargestTogether) {
  const Bins few = value_bins(std::vector{3, 1, 3}, 4);
  EXPECT_THAT(few.names, ElementsAre("1", "3"));
  const Bins many = value_bins(std::vector{1, 2, 3, 4, 5, 9}, 4);
  EXPECT_THAT(many.names, ElementsAre("1", "2", "3", "4 or more"));
  EXPECT_THAT(many.bin_of, ElementsAre(0, 1, 2, 3, 3, 3));
}

}  // namespace
}  // namespace bermuda
