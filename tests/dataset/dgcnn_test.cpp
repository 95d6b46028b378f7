#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::random_data;
using test::RandomDataOptions;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Format& dgcnn() { return format_named("dgcnn"); }

TEST(Dgcnn, WhatFilesOfOthersLookLike) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "MUTAG.txt", " 3 \r\n3 2\r\n2 2 2\t1\r\n-5 1 0 \r\n0  1 0\r\n0 2\n1 -1\n4 0\n\n \n");
  const DataSet data = read_dataset(file);
  EXPECT_EQ(data.name, "MUTAG");
  EXPECT_THAT(data.class_names, ElementsAre("-1", "2"));
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.splits[0].name, "all");
  const auto& samples = data.splits[0].samples;
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0].id, "1");
  EXPECT_EQ(samples[0].label, 1);
  EXPECT_EQ(samples[0].graph, Graph(3, {{0, 1}, {0, 2}}, {2, -5, 0}));
  EXPECT_EQ(samples[1].graph, Graph(0, {}));
  EXPECT_EQ(samples[2].graph, Graph(1, {}, {4}));
  EXPECT_EQ(samples[2].label, 0);
}

TEST(Dgcnn, TagsThatAreAllZeroAreNoLabels) {
  const TemporaryFolder folder;
  const DataSet data = read_dataset(folder.write("a.txt", "1\n2 0\n0 1 1 0.5 -2\n0 1 0 1e3 4\n"));
  const Graph& graph = data.splits[0].samples[0].graph;
  EXPECT_FALSE(graph.has_node_labels());
  EXPECT_EQ(graph.attribute_width(), 2);
  EXPECT_THAT(graph.attributes(), ElementsAre(0.5, -2, 1000, 4));
}

TEST(Dgcnn, FileIsWhatFormatsMdShows) {
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"0", "1"};
  Sample triangle;
  triangle.id = "1";
  triangle.label = 1;
  triangle.graph = Graph(3, {{0, 1}, {0, 2}, {1, 2}}, {0, 1, 0});
  Sample pair;
  pair.id = "2";
  pair.graph = Graph(2, {{0, 1}}, {1, 1});
  data.splits = {{"all", {triangle, pair}}};
  EXPECT_THAT(dgcnn().losses(data), IsEmpty());
  write_dataset(data, folder / "out.txt", dgcnn(), false);
  EXPECT_EQ(read_file(folder / "out.txt"),
            "2\n3 1\n0 2 1 2\n1 2 0 2\n0 2 0 1\n2 0\n1 1 1\n1 1 0\n");
  EXPECT_EQ(read_dataset(folder / "out.txt").splits, data.splits);
}

TEST(Dgcnn, RandomGraphsComeBack) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const TemporaryFolder folder;
    RandomDataOptions options;
    options.node_labels = seed % 2 == 0;
    options.attribute_width = seed % 4 < 2 ? 0 : 3;
    options.least_nodes = options.attribute_width == 0 ? 0 : 1;
    options.split_names = {"all"};
    DataSet data = random_data(seed, options);
    int number = 0;
    for (Sample& sample : data.splits[0].samples) sample.id = std::to_string(++number);
    ASSERT_THAT(dgcnn().losses(data), IsEmpty());
    write_dataset(data, folder / "a.txt", dgcnn(), false);
    EXPECT_EQ(detect_format(folder / "a.txt"), dgcnn());
    EXPECT_EQ(read_dataset(folder / "a.txt").splits, data.splits);
  }
}

TEST(Dgcnn, Losses) {
  RandomDataOptions options;
  options.edge_labels = options.witnesses = options.hits_and_origins = true;
  const DataSet data = random_data(1, options);
  EXPECT_THAT(
      dgcnn().losses(data),
      ElementsAre(HasSubstr("edge labels"), HasSubstr("witnesses"), HasSubstr("hit counts"),
                  HasSubstr("origins"), "ids of 120 graphs", "the splits (train, valid, test)"));
}

TEST(Dgcnn, LossesOfLabelsAndAttributesThatOnlySomeHave) {
  DataSet data;
  data.class_names = {"0"};
  Sample sample;
  sample.id = "1";
  sample.graph = Graph(2, {{0, 1}}, {0, 0});
  sample.graph.set_attributes(1, {1, 2});
  data.splits = {{"all", {sample}}};
  EXPECT_THAT(dgcnn().losses(data),
              ElementsAre("node labels (all are 0, which stands for none) of 1 graph"));
  sample.id = "2";
  sample.graph = Graph(1, {}, {3});
  data.splits[0].samples.push_back(sample);
  sample.id = "3";
  sample.graph = Graph(1, {});
  data.splits[0].samples.push_back(sample);
  EXPECT_THAT(dgcnn().losses(data),
              ElementsAre("that there are no node labels (0 is written) of 1 graph",
                          "node attributes (not all graphs have them, equally many) of 1 graph"));
  const TemporaryFolder folder;
  write_dataset(data, folder / "a.txt", dgcnn(), false);
  EXPECT_EQ(read_file(folder / "a.txt"), "3\n2 0\n0 1 1\n0 1 0\n1 0\n3 0\n1 0\n0 0\n");
}

TEST(Dgcnn, WhatItCannotCarryIsRefused) {
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"0"};
  data.splits = {{"all", {}}};
  EXPECT_THROW(write_dataset(data, folder / "a.txt", dgcnn(), false), UsageError);
  data.splits[0].samples.push_back({"1", 0, Graph(1, {}), {}, Sample::kNoHits, ""});
  data.class_names = {"yes"};
  EXPECT_THROW(write_dataset(data, folder / "a.txt", dgcnn(), false), UsageError);
}

// Both are told apart from other text files by their first lines only, unless the format is named.
TEST(Dgcnn, FaultsOfTheFirstLines) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    try {
      read_dataset(folder.write("a.txt", text), dgcnn());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(""), HasSubstr("a.txt: found the end of the file, expected the number"));
  EXPECT_THAT(message("two\n"), HasSubstr("a.txt:1: found 'two', expected the number of graphs"));
  EXPECT_THAT(message("1\n1\n0 0\n"), HasSubstr("a.txt:2: found 1 words"));
  EXPECT_EQ(message("1\n1 0\n0 0\n"), "");
}

}  // namespace
}  // namespace bermuda
