#include "bermuda/graph/witness.hpp"

#include <gtest/gtest.h>

namespace bermuda {
namespace {

TEST(WitnessEdges, AreThoseThatItLists) {
  const Graph graph(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}});
  const Witness triangle{{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}};
  EXPECT_EQ(witness_edges(graph, triangle), (std::vector{true, true, true, false}));
  // An edge between two of its nodes is not yet part of it.
  EXPECT_EQ(witness_edges(graph, {{0, 1, 2}, {{0, 1}}}), (std::vector{true, false, false, false}));
  EXPECT_EQ(witness_edges(graph, {}), std::vector<bool>(4, false));
}

}  // namespace
}  // namespace bermuda
