#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;

TEST(JsonLines, WhatMayBeLeftOut) {
  const TemporaryFolder folder;
  const auto file = folder.write("data.jsonl",
                                 "{\"class\": 1, \"nodes\": 2, \"edges\": [[1, 0]]}\r\n"
                                 "\n"
                                 "{\"class\": \"0\", \"nodes\": 0, \"edges\": [], \"note\": {}, "
                                 "\"hits\": null, \"id\": 17}\n");
  const DataSet data = read_dataset(file);
  EXPECT_EQ(data.name, "data");
  EXPECT_THAT(data.class_names, ElementsAre("0", "1"));
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.splits[0].name, "all");
  EXPECT_EQ(data.splits[0].samples[0].id, "1");
  EXPECT_EQ(data.splits[0].samples[0].label, 1);
  EXPECT_EQ(data.splits[0].samples[0].graph, Graph(2, {{0, 1}}));
  EXPECT_EQ(data.splits[0].samples[0].hits, Sample::kNoHits);
  EXPECT_EQ(data.splits[0].samples[1].id, "17");
  EXPECT_EQ(data.splits[0].samples[1].hits, Sample::kNoHits);
}

TEST(JsonLines, EdgeLabelsFollowTheEdgesAsGiven) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "data.jsonl",
      R"({"class":0,"nodes":3,"edges":[[2,1],[1,0]],"edge_labels":[5,6],"node_labels":[1,2,3],)"
      R"("attributes":[[1],[2.5],[-3]],"witness":{"edges":[[2,1],[1,0]],"nodes":[2,0,1]},)"
      R"("hits":4,"origin":"m2","split":"test"})"
      "\n");
  const DataSet data = read_dataset(file);
  EXPECT_EQ(data.splits[0].name, "test");
  const Sample& sample = data.splits[0].samples[0];
  Graph expected(3, {{0, 1}, {1, 2}}, {1, 2, 3}, {6, 5});
  expected.set_attributes(1, {1, 2.5, -3});
  EXPECT_EQ(sample.graph, expected);
  EXPECT_EQ(sample.witness, (Witness{{0, 1, 2}, {{0, 1}, {1, 2}}}));
  EXPECT_EQ(sample.hits, 4);
  EXPECT_EQ(sample.origin, "m2");
}

TEST(JsonLines, FileIsWhatFormatsMdShows) {
  const TemporaryFolder folder;
  DataSet data;
  data.name = "out";
  data.class_names = {"no", "yes"};
  Sample sample;
  sample.id = "g0";
  sample.label = 1;
  sample.graph = Graph(3, {{0, 1}, {0, 2}, {1, 2}}, {0, 1, 0});
  sample.witness = {{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}};
  sample.hits = 0;
  data.splits = {{"train", {sample}}};
  write_dataset(data, folder / "out.jsonl", format_named("jsonl"), false);
  EXPECT_EQ(read_file(folder / "out.jsonl"),
            R"({"id":"g0","split":"train","class":"yes","nodes":3,"edges":[[0,1],[0,2],[1,2]],)"
            R"("node_labels":[0,1,0],"witness":{"nodes":[0,1,2],"edges":[[0,1],[0,2],[1,2]]},)"
            R"("hits":0})"
            "\n");
}

}  // namespace
}  // namespace bermuda
