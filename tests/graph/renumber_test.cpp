#include "bermuda/graph/renumber.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bermuda
