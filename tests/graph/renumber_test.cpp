#include "bermuda/graph/renumber.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bermuda {
namespace {

TEST(Renumbered, LabelsAndAttributesMoveWithNodesAndEdges) {
  Graph graph(3, {{0, 1}, {1, 2}}, {10, 11, 12}, {7, 8});
  graph.set_attributes(2, {0, 1, 10, 11, 20, 21});
  Graph expected(3, {{2, 0}, {0, 1}}, {11, 12, 10}, {7, 8});
  expected.set_attributes(2, {10, 11, 20, 21, 0, 1});
  EXPECT_EQ(renumbered(graph, std::vector{2, 0, 1}), expected);
}

TEST(Renumbered, TheOldNumbersGiveTheGraphItself) {
  const Graph plain(4, {{0, 3}, {1, 2}});
  EXPECT_EQ(renumbered(plain, std::vector{0, 1, 2, 3}), plain);
  EXPECT_EQ(renumbered(Graph(), std::vector<int>()), Graph());
}

TEST(Renumbered, AWitnessStaysInOrder) {
  const Witness witness = {{0, 1, 3}, {{0, 1}, {1, 3}}};
  const Witness expected = {{0, 2, 3}, {{0, 2}, {0, 3}}};
  EXPECT_EQ(renumbered(witness, std::vector{3, 0, 1, 2}), expected);
}

TEST(RandomNumbers, ArePermutationsAndFollowFromTheStream) {
  RandomStream random(1, Purpose::kTest);
  RandomStream again(1, Purpose::kTest);
  const std::vector<int> first = random_numbers(50, random);
  EXPECT_EQ(random_numbers(50, again), first);
  EXPECT_NE(random_numbers(50, random), first);
  std::vector<int> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  EXPECT_TRUE(random_numbers(0, random).empty());
}

}  // namespace
}  // namespace bermuda
