#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bermuda/core/random.hpp"
#include "bermuda/graph/renumber.hpp"
#include "small_fits.hpp"

namespace bermuda::train {
namespace {

/// How far answers move when the nodes of each graph are numbered anew.
double moved(Method& method, const std::vector<Sample>& samples) {
  std::vector<Sample> others = samples;
  for (std::size_t i = 0; i < others.size(); ++i) {
    std::vector<int> number(static_cast<std::size_t>(others[i].graph.node_count()));
    std::iota(number.begin(), number.end(), 0);
    RandomStream(5, Purpose::kTest, i).shuffle(std::span(number));
    others[i].graph = renumbered(others[i].graph, number);
  }
  const auto before = method.predict(pointers(samples), {});
  const auto after = method.predict(pointers(others), {});
  double most = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    most = std::max(most, std::abs(before[i].scores[0] - after[i].scores[0]));
  }
  return most;
}

double moved_after_fit(const std::string& name, const char* rounds = nullptr) {
  const std::vector<Sample> samples = rings_and_paths(30);
  const auto all = pointers(samples);
  const auto method = make(name, 8);
  method->fit({all, all, 2, 3}, {});
  if (rounds != nullptr) method->parameters().get("eval-shuffles").set(rounds);
  return moved(*method, samples);
}

// What the table says of a column with shuffled nodes: these have the figure of the other order.
TEST(NodeOrder, CannotBeSeenWithoutIndices) {
  for (const char* name : {"gcn", "gcn+d", "gcn-sym+d", "gin", "gin+d", "gat", "gat+d"}) {
    EXPECT_LT(moved_after_fit(name), 1e-4) << name;
  }
}

TEST(NodeOrder, CanBeSeenByIndices) {
  for (const char* name : {"gcn+d+id", "gin+d+id", "gat+d+id", "tf-is+am", "tf-is+am4"}) {
    EXPECT_GT(moved_after_fit(name), 1e-3) << name;
  }
}

// Drawn indices do not follow the order: what is left is the chance of the draws, and means out.
TEST(NodeOrder, IsLostWhereIndicesAreDrawn) {
  for (const char* name : {"tf", "tf+am", "tf+am3", "fcnn"}) {
    const double few = moved_after_fit(name, "4");
    const double many = moved_after_fit(name, "512");
    EXPECT_LT(many, 0.03) << name;
    EXPECT_LT(many, 0.5 * few) << name;
  }
}

}  // namespace
}  // namespace bermuda::train
