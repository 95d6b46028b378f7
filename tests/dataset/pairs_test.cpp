#include "bermuda/dataset/pairs.hpp"

#include <gtest/gtest.h>

namespace bermuda {
namespace {

using Groups = std::vector<std::size_t>;

std::vector<Sample> with_ids(const std::vector<std::string>& ids) {
  std::vector<Sample> samples(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) samples[i].id = ids[i];
  return samples;
}

std::vector<const Sample*> pointers_to(const std::vector<Sample>& samples) {
  std::vector<const Sample*> pointers;
  for (const Sample& sample : samples) pointers.push_back(&sample);
  return pointers;
}

TEST(DataSetPairs, TwinsThatFollowEachOther) {
  const auto samples = with_ids({"x-a", "x-b", "y", "z-b", "z-a", "z-b", "u-a", "v-b", "-a", "-b"});
  const auto found = find_pairs(pointers_to(samples));
  EXPECT_EQ(found, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {4, 5}}));
}

TEST(DataSetPairs, Groups) {
  const auto samples = with_ids({"x-a", "y-a", "z", "x-b", "y-b", "a"});
  EXPECT_EQ(pair_groups(pointers_to(samples)), (Groups{0, 1, 2, 0, 1, 5}));
}

TEST(DataSetPairs, MergedGroupsAreTransitive) {
  EXPECT_EQ(merged_groups(Groups{0, 0, 2, 2, 4, 5}, Groups{9, 1, 1, 3, 4, 5}),
            (Groups{0, 0, 0, 0, 4, 5}));
  EXPECT_EQ(merged_groups(Groups{0, 1, 2, 3}, Groups{7, 8, 8, 7}), (Groups{0, 1, 1, 0}));
}

TEST(DataSetPairs, OnlyWhereTheProvenanceSaysSo) {
  DataSet data;
  EXPECT_FALSE(has_pairs(data));
  data.provenance["pairs"] = true;
  EXPECT_FALSE(has_pairs(data));
  data.provenance["pairs"] = {{"same", "degrees"}};
  EXPECT_TRUE(has_pairs(data));
}

}  // namespace
}  // namespace bermuda
