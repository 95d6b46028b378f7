#include "bermuda/dataset/clean.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Split split_of(const std::string& name, const std::vector<std::pair<std::string, int>>& graphs) {
  Split split{name, {}};
  for (const auto& [id, label] : graphs) {
    Sample sample;
    sample.id = id;
    sample.label = label;
    split.samples.push_back(std::move(sample));
  }
  return split;
}

std::vector<std::string> ids_of(const Split& split) {
  std::vector<std::string> ids;
  for (const Sample& sample : split.samples) ids.push_back(sample.id);
  return ids;
}

TEST(Clean, OneTwinStaysThatOfTheTestFirst) {
  DataSet data;
  data.splits = {split_of("train", {{"a", 0}, {"b", 1}, {"b2", 1}, {"c", 0}, {"c2", 0}}),
                 split_of("valid", {{"c3", 0}, {"d", 1}}),
                 split_of("test", {{"d2", 1}, {"b3", 1}, {"b4", 1}, {"e", 0}})};
  const std::vector<std::size_t> class_of = {0, 1, 1, 2, 2, 2, 3, 3, 1, 1, 4};
  const Cleaning done = drop_twins(data, class_of);
  EXPECT_THAT(ids_of(data.splits[0]), ElementsAre("a"));
  EXPECT_THAT(ids_of(data.splits[1]), ElementsAre("c3"));
  EXPECT_THAT(ids_of(data.splits[2]), ElementsAre("d2", "b3", "e"));
  EXPECT_EQ(done.repeats, 6u);
  EXPECT_EQ(done.conflicting, 0u);
  EXPECT_EQ(data.provenance["cleaned"]["repeats_dropped"], 6);
}

TEST(Clean, NoneStaysWhereClassesDiffer) {
  DataSet data;
  data.splits = {split_of("all", {{"a", 0}, {"b", 0}, {"a2", 1}, {"a3", 0}, {"b2", -1}})};
  const Cleaning done = drop_twins(data, std::vector<std::size_t>{0, 1, 0, 0, 1});
  EXPECT_THAT(ids_of(data.splits[0]), ElementsAre("b"))
      << "a graph without a class contradicts none";
  EXPECT_EQ(done.conflicting, 3u);
  EXPECT_EQ(done.repeats, 1u);
  EXPECT_EQ(data.provenance["cleaned"]["conflicting_dropped"], 3);
}

TEST(Clean, InSplitsWithoutNamesTheFirstStays) {
  DataSet data;
  data.splits = {split_of("all", {{"a", 0}, {"a2", 0}})};
  drop_twins(data, std::vector<std::size_t>{0, 0});
  EXPECT_THAT(ids_of(data.splits[0]), ElementsAre("a"));
  DataSet nothing;
  EXPECT_EQ(drop_twins(nothing, {}).repeats, 0u);
  EXPECT_THAT(nothing.splits, IsEmpty());
}

}  // namespace
}  // namespace bermuda
