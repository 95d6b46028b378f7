#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::kMayLackClass;
using test::random_data;
using test::RandomDataOptions;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Format& graph6() { return format_named("graph6"); }

std::vector<int> graph6_labels(const std::filesystem::path& file, const ReadOptions& options) {
  const DataSet data = read_dataset(file, options);
  return labels_of(data.all());
}

TEST(Graph6File, ClassesStandBehindTheGraphs) {
  const TemporaryFolder folder;
  for (const std::string header : {"", ">>graph6<<", ">>sparse6<<", ">>graph6<<\n"}) {
    const auto file = folder.write("a.g6", header + "Bw\tyes\r\nBg   no way \n:An yes\n@\tyes\n\n");
    const DataSet data = read_dataset(file);
    EXPECT_EQ(data.name, "a");
    EXPECT_THAT(data.class_names, ElementsAre("no way", "yes"));
    EXPECT_THAT(labels_of(data.all()), ElementsAre(1, 0, 1, 1));
    ASSERT_EQ(data.splits.size(), 1U);
    EXPECT_EQ(data.splits[0].name, "all");
    EXPECT_EQ(data.splits[0].samples[0].graph, Graph(3, {{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(data.splits[0].samples[2].graph, Graph(2, {{0, 1}}));
    EXPECT_EQ(data.splits[0].samples[3].id, "4");
  }
}

TEST(Graph6File, OrInAFileBesideIt) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.s6", ">>sparse6<<:An\n:An\n");
  EXPECT_THROW(read_dataset(file), InputError);
  EXPECT_THAT(graph6_labels(file, kMayLackClass), ElementsAre(-1, -1));
  folder.write("a.labels", "7\n-3\n");
  EXPECT_THAT(graph6_labels(file, {}), ElementsAre(1, 0));
  folder.write("a.labels", "7\n?\n");
  EXPECT_THROW(read_dataset(file), InputError);
  EXPECT_THAT(graph6_labels(file, kMayLackClass), ElementsAre(0, -1));
}

TEST(Graph6File, WhatIsWritten) {
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"a", "b"};
  data.splits = {{"all", {{"1", 1, Graph(3, {{0, 1}}), {}, Sample::kNoHits, ""}}}};
  data.splits[0].samples.push_back({"2", -1, Graph(0, {}), {}, Sample::kNoHits, ""});
  data.splits[0].samples.push_back({"3", 0, Graph(1500, {{0, 7}}), {}, Sample::kNoHits, ""});
  write_dataset(data, folder / "a.g6", graph6(), false);
  const std::string text = read_file(folder / "a.g6");
  EXPECT_THAT(text, HasSubstr(">>graph6<<B_\tb\n?\t?\n:~"));
  EXPECT_EQ(read_dataset(folder / "a.g6", kMayLackClass).splits, data.splits);
  data.class_names.clear();
  for (Sample& sample : data.splits[0].samples) sample.label = -1;
  // Nothing in such a file tells who wrote it.
  EXPECT_THROW(write_dataset(data, folder / "a.g6", graph6(), true), UsageError);
  EXPECT_EQ(read_file(folder / "a.g6"), text);
  write_dataset(data, folder / "b.g6", graph6(), true);
  EXPECT_THAT(read_file(folder / "b.g6"), HasSubstr(">>graph6<<B_\n?\n:~"));
}

TEST(Graph6File, NothingIsWrittenBesideClassesOfOthers) {
  const TemporaryFolder folder;
  const auto labels = folder.write("a.labels", "7\n");
  DataSet data;
  data.splits = {{"all", {{"1", -1, Graph(3, {{0, 1}}), {}, Sample::kNoHits, ""}}}};
  for (const bool overwrite : {false, true}) {
    try {
      write_dataset(data, folder / "a.g6", graph6(), overwrite);
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(labels.string() + ": exists already"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.g6"));
  }
  write_dataset(data, folder / "b.g6", graph6(), false);
}

TEST(Graph6File, WhatIsLostOrRefused) {
  RandomDataOptions options;
  options.node_labels = options.edge_labels = options.witnesses = true;
  options.attribute_width = 1;
  EXPECT_THAT(graph6().losses(random_data(1, options)),
              ElementsAre("node labels of 120 graphs", HasSubstr("edge labels"),
                          "node attributes of 120 graphs", HasSubstr("witnesses"),
                          "ids of 120 graphs", "the splits (train, valid, test)"));
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"?"};
  data.splits = {{"all", {}}};
  EXPECT_THROW(write_dataset(data, folder / "a.g6", graph6(), false), UsageError);
  data.splits[0].samples.push_back({"1", 0, Graph(1, {}), {}, Sample::kNoHits, ""});
  EXPECT_THROW(write_dataset(data, folder / "a.g6", graph6(), false), UsageError);
  EXPECT_THAT(graph6().losses(data), ElementsAre(HasSubstr("class name '?'")));
}

TEST(Graph6File, NodesAreCounted) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20; ++i) text += ":~?BG 1\n";  // 200 nodes without edges
  try {
    read_dataset(folder.write("a.s6", text), {.max_nodes = 100});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--max-nodes"));
  }
}

}  // namespace
}  // namespace bermuda
