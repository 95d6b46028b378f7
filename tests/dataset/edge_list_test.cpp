#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::kMayLackClass;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Graph edge_list_graph(const TemporaryFolder& folder, const std::string& text) {
  const DataSet data = read_dataset(folder.write("a.edgelist", text), kMayLackClass);
  EXPECT_EQ(data.splits.at(0).samples.at(0).id, "a");
  return data.splits.at(0).samples.at(0).graph;
}

TEST(EdgeList, WhatFilesOfOthersLookLike) {
  const TemporaryFolder folder;
  const Graph path(3, {{0, 1}, {1, 2}});
  EXPECT_EQ(edge_list_graph(folder, "1 2\n2 3\n"), path);
  EXPECT_EQ(edge_list_graph(folder, "# a comment\n% another\n\n1\t2\r\n2, 3\n"), path);
  EXPECT_EQ(edge_list_graph(folder, "a b {}\nb c {}\n"), path);
  EXPECT_EQ(edge_list_graph(folder, "a b 1.0\nb c 1\n"), path);
  EXPECT_EQ(edge_list_graph(folder, "1 2\n2 1\n2 3\n3 2\n"), path);
  EXPECT_EQ(edge_list_graph(folder, "lonely\n"), Graph(1, {}));
  EXPECT_EQ(edge_list_graph(folder, ""), Graph(0, {}));
}

TEST(EdgeList, IntegersAreInTheirOrderOtherNamesAsTheyCome) {
  const TemporaryFolder folder;
  EXPECT_EQ(edge_list_graph(folder, "10 -2\n10 9\n"), Graph(3, {{0, 2}, {1, 2}}));
  EXPECT_EQ(edge_list_graph(folder, "x10 x2\nx10 x9\n"), Graph(3, {{0, 1}, {0, 2}}));
}

TEST(EdgeList, AFolderAndItsTable) {
  const TemporaryFolder folder;
  folder.write("set/b.edges", "1 2\n");
  folder.write("set/a.edges", "1 2\n2 3\n");
  folder.write("set/c.edgelist", "1\n");
  folder.write("set/README.md", "whatever\n");
  folder.write("set/classes.tsv",
               "#file\tclass\tsplit\nb.edges\tyes\ttrain\n\na\tno\ttest\nc\tyes\ttrain\n");
  const DataSet data = read_dataset(folder / "set");
  EXPECT_EQ(data.name, "set");
  EXPECT_THAT(data.class_names, ElementsAre("no", "yes"));
  ASSERT_EQ(data.splits.size(), 2U);
  EXPECT_EQ(data.splits[0].name, "train");
  EXPECT_EQ(data.splits[0].samples[0].id, "b");
  EXPECT_EQ(data.splits[0].samples[1].id, "c");
  EXPECT_EQ(data.splits[1].samples[0].id, "a");
  EXPECT_EQ(data.splits[1].samples[0].label, 0);
}

TEST(EdgeList, GraphsThatTheTableLeavesOutHaveNoClass) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b", "c"})
    folder.write(std::string("set/") + name + ".edges", "1 2");
  folder.write("set/classes.tsv", "c\t1\nb\t?\n");
  EXPECT_THROW(read_dataset(folder / "set"), InputError);
  const DataSet data = read_dataset(folder / "set", kMayLackClass);
  EXPECT_THAT(labels_of(data.all()), ElementsAre(0, -1, -1));
  EXPECT_EQ(data.splits[0].samples[2].id, "a");
}

TEST(EdgeList, NodesAreCounted) {
  const TemporaryFolder folder;
  try {
    read_dataset(folder.write("a.edges", "1 2\n3 4\n"), {.max_nodes = 3, .may_lack_class = true});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.edges: found graph 'a' of 4 nodes"));
  }
}

}  // namespace
}  // namespace bermuda
