#include "bermuda/core/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bermuda {
namespace {

using Names = std::vector<std::string>;

TEST(TypingDistance, CountsSlips) {
  EXPECT_EQ(typing_distance("", ""), 0);
  EXPECT_EQ(typing_distance("audit", "audit"), 0);
  EXPECT_EQ(typing_distance("", "abc"), 3);
  EXPECT_EQ(typing_distance("abc", ""), 3);
  EXPECT_EQ(typing_distance("audi", "audit"), 1);    // one too few
  EXPECT_EQ(typing_distance("auditt", "audit"), 1);  // one too many
  EXPECT_EQ(typing_distance("aubit", "audit"), 1);   // another one
  EXPECT_EQ(typing_distance("audti", "audit"), 1);   // swapped
  EXPECT_EQ(typing_distance("uadti", "audit"), 2);
  EXPECT_EQ(typing_distance("kitten", "sitting"), 3);
  EXPECT_EQ(typing_distance("ca", "abc"), 3);  // no letter is touched twice
  EXPECT_EQ(typing_distance("Max_Epochs", "max-epochs"), 0);
}

TEST(TypingDistance, IsTheSameBothWays) {
  const Names words = {"", "a", "gin", "gni", "clique-distance", "triangles", "trinagle", "tf+d"};
  for (const std::string& one : words) {
    for (const std::string& other : words) {
      EXPECT_EQ(typing_distance(one, other), typing_distance(other, one)) << one << " " << other;
    }
  }
}

TEST(NearestName, IsOneThatCouldHaveBeenMeant) {
  const Names names = {"gcn",          "gin",        "gin+d",      "svm-wl",
                       "svm-graphlet", "max-epochs", "max-minutes"};
  EXPECT_EQ(nearest_name("gnc", names), "gcn");
  EXPECT_EQ(nearest_name("GIN", names), "gin");
  EXPECT_EQ(nearest_name("gin-d", names), "gin+d");
  EXPECT_EQ(nearest_name("svmwl", names), "svm-wl");
  EXPECT_EQ(nearest_name("max-epoch", names), "max-epochs");
  EXPECT_EQ(nearest_name("max_minuets", names), "max-minutes");
}

TEST(NearestName, IsTheOnlyOneThatBeginsOrEndsSo) {
  const Names names = {"clique-distance", "max-epochs", "max-minutes"};
  EXPECT_EQ(nearest_name("clique", names), "clique-distance");
  EXPECT_EQ(nearest_name("epochs", names), "max-epochs");
  EXPECT_EQ(nearest_name("max", names), std::nullopt);  // two of them
  EXPECT_EQ(nearest_name("cl", names), std::nullopt);   // too short to tell
}

TEST(NearestName, IsNothingWhenNoneIsNear) {
  const Names names = {"gcn", "gin", "0", "1", "tf"};
  EXPECT_EQ(nearest_name("nonsense", names), std::nullopt);
  EXPECT_EQ(nearest_name("7", names), std::nullopt);
  EXPECT_EQ(nearest_name("ab", names), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("gin", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'g'), names), std::nullopt);
}

TEST(NearestName, IsTheFirstOfEquallyNearOnes) {
  EXPECT_EQ(nearest_name("gan", Names{"gcn", "gin"}), "gcn");
  EXPECT_EQ(nearest_name("gan", Names{"gin", "gcn"}), "gin");
}

TEST(DidYouMean, EndsAMessage) {
  const Names names = {"gcn", "gin"};
  EXPECT_EQ(did_you_mean("gnc", names), "; did you mean gcn?");
  EXPECT_EQ(did_you_mean("nonsense", names), "");
  EXPECT_EQ(did_you_mean_or_all("gnc", names), "; did you mean gcn?");
  EXPECT_EQ(did_you_mean_or_all("nonsense", names), "; there are: gcn, gin");
  EXPECT_EQ(did_you_mean_or_all("nonsense", {}), "; there are none");
}

}  // namespace
}  // namespace bermuda
