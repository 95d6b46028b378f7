#include "bermuda/method/views.hpp"

#include <gtest/gtest.h>

#include "bermuda/method/told_apart.hpp"
#include "known_pairs.hpp"
#include "register.hpp"

namespace bermuda::train {
namespace {

using test::KnownPairs;

ToldApart told(const std::string& name, const GraphPairs& pairs, int draws = 256) {
  MethodRegistry registry;
  register_neural_methods(registry);
  const auto method = registry.get(name).make();
  return *told_apart(*method, pairs, {.weights = 2, .draws = draws}, {});
}

/// Of these, WL tells the last apart only.
const KnownPairs& views_pairs() {
  static const KnownPairs pairs({{test::two_triangles(), test::hexagon()},
                                 {test::rook(), test::shrikhande()},
                                 {test::csl(2), test::csl(3)},
                                 {Graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 2}}),
                                  Graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {1, 4}})}});
  return pairs;
}

TEST(NetworkViews, MessagePassingSeesWhatWlSees) {
  for (const char* name : {"gcn+d", "gcn-sym+d", "gin+d", "gat+d", "gin"}) {
    const ToldApart found = told(name, views_pairs().pairs());
    EXPECT_EQ(found.pairs,
              (std::vector{Telling::kSame, Telling::kSame, Telling::kSame, Telling::kDifferent}))
        << name;
    EXPECT_EQ(found.control, std::vector<Telling>(4, Telling::kSame)) << name;
    // Both far from the tolerance.
    EXPECT_LT(found.largest_none, 1e-11) << name;
    EXPECT_GT(*found.smallest_difference, 1e-5) << name;
  }
}

TEST(NetworkViews, IndicesAreDrawnAndTested) {
  // A ring with and without chords, which so few draws suffice for; a ring and itself, renumbered.
  const KnownPairs few(
      {{test::hexagon(), test::circulant(6, {1, 2})},
       {test::hexagon(), Graph(6, {{0, 2}, {2, 4}, {1, 4}, {1, 3}, {3, 5}, {0, 5}})}});
  for (const char* name : {"gin+d+id", "tf+am", "tf-is+am", "fcnn"}) {
    const ToldApart found = told(name, few.pairs());
    EXPECT_TRUE(found.at_least) << name;
    EXPECT_EQ(found.pairs, (std::vector{Telling::kDifferent, Telling::kSame})) << name;
    EXPECT_EQ(found.control, std::vector<Telling>(2, Telling::kSame)) << name;
  }
}

TEST(NetworkViews, OfOneGraphDoNotHangOnTheOthers) {
  MethodRegistry registry;
  register_neural_methods(registry);
  const auto method = registry.get("gin+d").make();
  const auto all = views_pairs().data().all();
  const auto together = method->views({.samples = all, .whole = all, .weights = 2}, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto alone =
        method->views({.samples = Samples(all).subspan(i, 1), .whole = all, .weights = 2}, {});
    EXPECT_LT(view_difference(alone->rows[0], together->rows[i], together->block), 1e-13);
  }
}

}  // namespace
}  // namespace bermuda::train
