#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bermuda/dataset/io.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/told_apart.hpp"
#include "known_pairs.hpp"
#include "shared_data.hpp"

namespace bermuda {
namespace {

using test::KnownPairs;
using Options = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Method> showing_method(const std::string& name, const Options& options = {}) {
  MethodRegistry registry;
  register_kernel_methods(registry);
  auto method = registry.get(name).make();
  for (const auto& [key, value] : options) method->parameters().get(key).set(value);
  return method;
}

std::vector<bool> told(const std::string& name, const GraphPairs& pairs,
                       const Options& options = {}, int draws = 256) {
  const auto found =
      told_apart(*showing_method(name, options), pairs, {.draws = draws}, {.threads = 2});
  std::vector<bool> result;
  for (std::size_t i = 0; i < found->pairs.size(); ++i) {
    EXPECT_EQ(found->control[i], Telling::kSame) << name << ", pair " << i;
    result.push_back(found->pairs[i] == Telling::kDifferent);
  }
  return result;
}

/// Pairs that are 1-WL-equal, and one that is not.
const KnownPairs& known() {
  static const KnownPairs pairs({{test::two_triangles(), test::hexagon()},
                                 {test::rook(), test::shrikhande()},
                                 {test::csl(2), test::csl(3)},
                                 {test::csl(4), test::csl(6)},
                                 {test::hexagon(), Graph(6, {{0, 1}, {1, 2}, {2, 3}})}});
  return pairs;
}

TEST(KernelViews, WlSeesNoRegularGraph) {
  EXPECT_EQ(told("svm-wl", known().pairs()), (std::vector{false, false, false, false, true}));
  EXPECT_EQ(told("svm-labels", known().pairs()), (std::vector{false, false, false, false, true}));
}

TEST(KernelViews, GraphletsSeeByTheirSize) {
  const auto of_size = [](const char* size) {
    return told("svm-graphlet-exact", known().pairs(), {{"size", size}});
  };
  // Triangles; the rook's graph has cliques of 4, Shrikhande's none; skips of 4 and 6 differ in
  // cycles of 5 alone. With one kind of graphlet only, as in the last, nothing is left of a count
  // that is divided by its length.
  EXPECT_EQ(of_size("3"), (std::vector{true, false, true, false, false}));
  EXPECT_EQ(of_size("4"), (std::vector{true, true, true, false, true}));
  EXPECT_EQ(of_size("5"), (std::vector{true, true, true, true, true}));
}

TEST(KernelViews, SampledGraphletsAreTested) {
  const auto found = told("svm-graphlet", known().pairs());
  EXPECT_TRUE(found[0]);
  EXPECT_TRUE(found[1]);
  EXPECT_TRUE(found[4]);
  const KnownPairs same({{test::rook(), test::rook()}, {test::csl(2), test::csl(20)}});
  // Skips of 2 and 20 are isomorphic: 2 * 20 = -1 modulo 41.
  EXPECT_EQ(told("svm-graphlet", same.pairs()), (std::vector{false, false}));
}

TEST(KernelViews, DivisionByTheLengthHidesTheSize) {
  const KnownPairs sizes({{test::circulant(3, {1}), test::circulant(9, {1})}});
  EXPECT_EQ(told("svm-wl", sizes.pairs()), std::vector{false});
  EXPECT_EQ(told("svm-wl", sizes.pairs(), {{"no-normalise", "on"}}), std::vector{true});
}

/// How often each induced subgraph of k nodes occurs, by trying all sets; shares no code.
std::map<std::vector<int>, int> brute_force(const Graph& graph, int k) {
  const int n = graph.node_count();
  std::vector<std::vector<bool>> joined(static_cast<std::size_t>(n),
                                        std::vector<bool>(static_cast<std::size_t>(n)));
  for (const Edge& edge : graph.edges()) {
    joined[static_cast<std::size_t>(edge.u)][static_cast<std::size_t>(edge.v)] = true;
    joined[static_cast<std::size_t>(edge.v)][static_cast<std::size_t>(edge.u)] = true;
  }
  std::map<std::vector<int>, int> counts;
  std::vector<std::size_t> chosen(static_cast<std::size_t>(k));
  const auto add = [&] {
    // Up to 5 nodes, degrees with the sorted degrees of each one's neighbours tell connected
    // graphs apart.
    std::vector<std::vector<int>> nodes;
    std::vector<int> degree(chosen.size(), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (const std::size_t other : chosen) degree[i] += joined[chosen[i]][other] ? 1 : 0;
    }
    std::size_t reached = 1;
    std::vector<bool> in(chosen.size(), false);
    in[0] = true;
    for (std::size_t round = 0; round < chosen.size(); ++round) {
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        for (std::size_t j = 0; j < chosen.size(); ++j) {
          if (in[i] && !in[j] && joined[chosen[i]][chosen[j]]) {
            in[j] = true;
            ++reached;
          }
        }
      }
    }
    if (reached < chosen.size()) return;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      std::vector<int> heard;
      for (std::size_t j = 0; j < chosen.size(); ++j) {
        if (joined[chosen[i]][chosen[j]]) heard.push_back(degree[j]);
      }
      std::ranges::sort(heard);
      heard.insert(heard.begin(), degree[i] * 100);
      nodes.push_back(heard);
    }
    std::ranges::sort(nodes);
    std::vector<int> key;
    for (const auto& node : nodes) key.insert(key.end(), node.begin(), node.end());
    ++counts[key];
  };
  const auto choose = [&](const auto& self, std::size_t place, std::size_t from) -> void {
    if (place == chosen.size()) return add();
    for (std::size_t v = from; v < static_cast<std::size_t>(n); ++v) {
      chosen[place] = v;
      self(self, place + 1, v + 1);
    }
  };
  choose(choose, 0, 0);
  return counts;
}

TEST(KernelViews, OfBrec) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const DataSet data =
      read_dataset(shared / "brec" / "pairs.tsv", ReadOptions{.may_lack_class = true});
  const GraphPairs pairs = pairs_of(data);
  // As many rounds as colours can go on changing, in graphs of at most 20 nodes.
  for (const char* rounds : {"5", "20"}) {
    const auto found = told("svm-wl", pairs, {{"max-rounds", rounds}});
    EXPECT_EQ(std::ranges::count(found, true), 0) << rounds;
  }
  // All pairs of small graphs against brute force.
  GraphPairs small{pairs.categories, {}};
  for (const GraphPair& pair : pairs.pairs) {
    if (pair.first->graph.node_count() <= 14) small.pairs.push_back(pair);
  }
  ASSERT_GT(small.pairs.size(), 100U);
  for (const char* size : {"3", "4", "5"}) {
    std::vector<bool> expected;
    for (const GraphPair& pair : small.pairs) {
      bool differ = false;
      for (int k = 3; k <= size[0] - '0'; ++k) {
        differ |= brute_force(pair.first->graph, k) != brute_force(pair.second->graph, k);
      }
      expected.push_back(differ);
    }
    EXPECT_EQ(told("svm-graphlet-exact", small, {{"size", size}}), expected) << size;
  }
}

}  // namespace
}  // namespace bermuda
