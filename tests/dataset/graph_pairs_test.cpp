#include "bermuda/dataset/graph_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "formats.hpp"
#include "shared_data.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ReadOptions kAnyGraphs{.may_lack_class = true};

TEST(PairFile, TwinsFollowEachOther) {
  const DataSet data =
      parse_pairs("# note\nb\tBw\tB?\r\n\na\tA_\t:A\nb\tBw\tBW\n", "x.tsv", "x", kAnyGraphs);
  ASSERT_EQ(data.size(), 6U);
  std::vector<std::string> ids;
  for (const Sample* sample : data.all()) {
    ids.push_back(sample->id);
    EXPECT_EQ(sample->label, Sample::kNoClass);
  }
  EXPECT_THAT(ids, ElementsAre("b-1-a", "b-1-b", "a-2-a", "a-2-b", "b-3-a", "b-3-b"));
  ASSERT_TRUE(has_pairs(data));
  const GraphPairs pairs = pairs_of(data);
  EXPECT_THAT(pairs.categories, ElementsAre("b", "a"));
  ASSERT_EQ(pairs.pairs.size(), 3U);
  EXPECT_EQ(pairs.pairs[0].first->graph.edge_count(), 3);
  EXPECT_EQ(pairs.pairs[0].second->graph.edge_count(), 0);
  EXPECT_EQ(pairs.pairs[1].category, 1);
  EXPECT_EQ(pairs.pairs[2].category, 0);
}

TEST(PairFile, OurOwnFormatCarriesThem) {
  const DataSet data = parse_pairs("b\tBw\tB?\na\tA_\t:A\n", "x.tsv", "x", kAnyGraphs);
  const DataSet back = parse_native(native_files(data), "", nullptr, kAnyGraphs);
  EXPECT_EQ(back.splits, data.splits);
  EXPECT_THAT(pairs_of(back).categories, ElementsAre("b", "a"));
}

TEST(PairFile, ManyCategoriesAreRefused) {
  std::string text;
  for (int i = 0; i < 1001; ++i) text += "c" + std::to_string(i) + "\tBw\tB?\n";
  try {
    parse_pairs(text, "x.tsv", "x", kAnyGraphs);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 1001);
    EXPECT_THAT(error.what(), HasSubstr("at most 1000"));
  }
}

DataSet twins(std::vector<std::string> ids) {
  DataSet data{"twins", {"0", "1"}, {{"all", {}}}, {{"pairs", {{"same", "degrees"}}}}};
  for (std::string& id : ids) {
    Sample sample;
    sample.id = std::move(id);
    data.splits[0].samples.push_back(std::move(sample));
  }
  return data;
}

TEST(Pairs, OfTwinsHaveOneCategory) {
  const DataSet data = twins({"x-a", "x-b", "y-a", "y-b"});
  const GraphPairs pairs = pairs_of(data);
  EXPECT_THAT(pairs.categories, ElementsAre("pairs"));
  EXPECT_EQ(pairs.pairs.size(), 2U);
}

TEST(Pairs, GraphsWithoutTheirTwinAreRefused) {
  for (const auto& ids : std::vector<std::vector<std::string>>{
           {"x-a"}, {"x-a", "y-b"}, {"x-b", "x-a"}, {"-a", "-b"}, {"x-a", "x-b", "z"}}) {
    const DataSet data = twins(ids);
    EXPECT_THROW(pairs_of(data), UsageError) << ids.front();
  }
  DataSet none = twins({"x-a", "x-b"});
  none.provenance = nlohmann::ordered_json::object();
  EXPECT_FALSE(has_pairs(none));
  EXPECT_THROW(pairs_of(none), UsageError);
}

TEST(Pairs, OfBrec) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const DataSet data = read_dataset(shared / "brec" / "pairs.tsv", kAnyGraphs);
  const GraphPairs pairs = pairs_of(data);
  EXPECT_EQ(pairs.pairs.size(), 400U);
  EXPECT_EQ(pairs.categories.size(), 7U);
  for (const GraphPair& pair : pairs.pairs) {
    EXPECT_EQ(pair.first->graph.node_count(), pair.second->graph.node_count());
    EXPECT_EQ(pair.first->graph.edge_count(), pair.second->graph.edge_count());
  }
}

}  // namespace
}  // namespace bermuda
