#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void expect_two_graphs(const DataSet& data) {
  EXPECT_EQ(data.name, "DS");
  EXPECT_THAT(data.class_names, ElementsAre("-1", "2", "10"));
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.splits[0].name, "all");
  const auto& samples = data.splits[0].samples;
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0].id, "DS_1");
  EXPECT_EQ(samples[0].label, 2);
  EXPECT_EQ(samples[0].graph, Graph(3, {{0, 1}, {1, 2}}, {4, 5, 6}, {7, 8}));
  EXPECT_EQ(samples[1].label, 0);
  EXPECT_EQ(samples[1].graph, Graph(2, {{0, 1}}, {0, -1}, {9}));
  EXPECT_EQ(samples[2].id, "DS_3");
  EXPECT_EQ(samples[2].graph, Graph(1, {}, {3}));
}

TEST(Tu, LineEndsBlanksAndCommasOfRealFiles) {
  const TemporaryFolder folder;
  folder.write("DS_A.txt", "2,1\r\n1, 2\r\r\n2 , 3\n3,2 \n5,4\n4,\t5\n\n \r\n");
  folder.write("DS_graph_indicator.txt", "1\r\n1\r\n1\r\n2\r\n2\r\n3");
  folder.write("DS_graph_labels.txt", "10\n-1\n+2\n\n");
  folder.write("DS_node_labels.txt", " 4\n5\n6 \n0\n-1\n3\n");
  folder.write("DS_edge_labels.txt", "7\n7\n8\n8\n9\n9\n");
  folder.write("DS_edge_attributes.txt", "ignored");
  folder.write("DS_graph_attributes.txt", "ignored");
  folder.write("README.txt", "ignored");
  expect_two_graphs(read_dataset(folder.path()));
}

TEST(Tu, EdgesGivenOnce) {
  const TemporaryFolder folder;
  folder.write("DS_A.txt", "2,1\n2,3\n5,4\n");
  folder.write("DS_graph_indicator.txt", "1\n1\n1\n2\n2\n3\n");
  folder.write("DS_graph_labels.txt", "10\n-1\n2\n");
  folder.write("DS_node_labels.txt", "4\n5\n6\n0\n-1\n3\n");
  folder.write("DS_edge_labels.txt", "7\n8\n9\n");
  expect_two_graphs(read_dataset(folder.path()));
}

TEST(Tu, EdgesNeedNotBeSortedByGraph) {
  const TemporaryFolder folder;
  folder.write("DS_A.txt", "4,5\n3,2\n1,2\n5,4\n2,3\n2,1\n");
  folder.write("DS_graph_indicator.txt", "1\n1\n1\n2\n2\n3\n");
  folder.write("DS_graph_labels.txt", "10\n-1\n2\n");
  folder.write("DS_node_labels.txt", "4\n5\n6\n0\n-1\n3\n");
  folder.write("DS_edge_labels.txt", "9\n8\n7\n9\n8\n7\n");
  expect_two_graphs(read_dataset(folder.path()));
}

TEST(Tu, NodeAttributes) {
  const TemporaryFolder folder;
  folder.write("DS_A.txt", "1,2\n2,1\n");
  folder.write("DS_graph_indicator.txt", "1\n1\n2\n");
  folder.write("DS_graph_labels.txt", "0\n1\n");
  folder.write("DS_node_attributes.txt", "0.5,-1\n 1e3, 2\n3 ,4\n");
  const DataSet data = read_dataset(folder.path());
  const auto& samples = data.splits[0].samples;
  EXPECT_EQ(samples[0].graph.attribute_width(), 2);
  EXPECT_THAT(samples[0].graph.attributes(), ElementsAre(0.5, -1, 1000, 2));
  EXPECT_THAT(samples[1].graph.attributes(), ElementsAre(3, 4));
}

TEST(Tu, FilesAreWhatFormatsMdShows) {
  const TemporaryFolder folder;
  DataSet data;
  data.name = "my data";
  data.class_names = {"-1", "1"};
  Sample sample;
  sample.id = "g0";
  sample.label = 1;
  sample.graph = Graph(3, {{0, 1}, {0, 2}, {1, 2}}, {0, 1, 2}, {5, 6, 7});
  sample.graph.set_attributes(2, {1, 2, 3, 4, 5, 6.5});
  sample.witness = {{0, 1}, {{0, 1}}};
  sample.origin = "knn3";
  data.splits = {{"train", {sample}}};
  sample.id = "g1";
  sample.label = 0;
  sample.hits = 3;
  sample.origin = "";
  sample.witness = {};
  data.splits.push_back({"test", {sample}});
  write_dataset(data, folder / "out", format_named("tu"), false);
  const auto text = [&](const std::string& name) {
    return read_file(folder / "out" / ("my_data_" + name + ".txt"));
  };
  EXPECT_THAT(text("A"), HasSubstr("1, 2\n2, 1\n1, 3\n3, 1\n2, 3\n3, 2\n4, 5\n"));
  EXPECT_EQ(text("graph_indicator"), "1\n1\n1\n2\n2\n2\n");
  EXPECT_EQ(text("graph_labels"), "1\n-1\n");
  EXPECT_EQ(text("node_labels"), "0\n1\n2\n0\n1\n2\n");
  EXPECT_EQ(text("edge_labels"), "5\n5\n6\n6\n7\n7\n5\n5\n6\n6\n7\n7\n");
  EXPECT_EQ(text("node_attributes"), "1, 2\n3, 4\n5, 6.5\n1, 2\n3, 4\n5, 6.5\n");
  EXPECT_EQ(text("graph_ids"), "g0\ttrain\t-\tknn3\t0,1;0-1\ng1\ttest\t3\t-\t-\n");
  EXPECT_EQ(read_dataset(folder / "out").splits, data.splits);
}

TEST(Tu, WhatItCannotCarryIsRefused) {
  const TemporaryFolder folder;
  DataSet data;
  data.name = "DS";
  data.class_names = {"no"};
  Sample sample;
  sample.id = "g0";
  data.splits = {{"train", {sample}}};
  const auto message = [&] {
    try {
      write_dataset(data, folder / "out", format_named("tu"), false);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(), HasSubstr("class name 'no': TU needs integers"));
  data.class_names = {"0"};
  EXPECT_THAT(message(), HasSubstr("graph 'g0' has no nodes"));
  data.splits[0].samples[0].graph = Graph(2, {});
  EXPECT_THAT(message(), HasSubstr("no graph has an edge"));
}

}  // namespace
}  // namespace bermuda
