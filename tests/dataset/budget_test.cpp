// What a data set may cost: both sides of each limit of FORMATS.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string fault_of(const std::filesystem::path& path, int max_nodes = kUsualMostNodes) {
  try {
    read_dataset(path, {.max_nodes = max_nodes});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string line(int nodes) {
  return "{\"class\":0,\"nodes\":" + std::to_string(nodes) + ",\"edges\":[]}\n";
}

TEST(Budget, NodesOfAGraphInJsonLines) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.jsonl", line(3) + line(100'000));
  EXPECT_EQ(fault_of(file), "");
  EXPECT_EQ(fault_of(file, 100'000), "");
  EXPECT_THAT(fault_of(file, 99'999),
              EndsWith("a.jsonl:2: found graph '2' of 100000 nodes, expected at most 99999 "
                       "(--max-nodes allows more)"));
  EXPECT_THAT(fault_of(folder.write("b.jsonl", line(100'001))), HasSubstr("100001 nodes"));
}

TEST(Budget, TheFormatsOwnLimit) {
  const TemporaryFolder folder;
  EXPECT_EQ(fault_of(folder.write("a.jsonl", line(kMostNodes)), kMostNodes), "");
  EXPECT_THAT(fault_of(folder.write("b.jsonl", line(kMostNodes + 1)), kMostNodes),
              HasSubstr("expected an integer from 0 to 1048576"));
  const std::string last = std::to_string(kMostNodes - 1);
  folder.write("c/cl.txt", "g\t0\n");
  folder.write("c/sp.txt", "g\t0\t" + last + "\t1\ng\t" + last + "\t0\t1\n");
  EXPECT_EQ(fault_of(folder / "c", kMostNodes), "");
  const std::string beyond = std::to_string(kMostNodes);
  folder.write("d/cl.txt", "g\t0\n");
  folder.write("d/sp.txt", "g\t0\t" + beyond + "\t1\ng\t" + beyond + "\t0\t1\n");
  EXPECT_THAT(fault_of(folder / "d", kMostNodes), HasSubstr("sp.txt:1: found '1048576'"));
}

TEST(Budget, NodesOfAllGraphsAreBoundedByTheBytes) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 10; ++i) text += line(100);
  EXPECT_EQ(fault_of(folder.write("a.jsonl", text), 100), "");
  const std::size_t bytes = text.size() + line(100).size();
  // As many more nodes as there are bytes, and one too many.
  const int spare = static_cast<int>(bytes) - 4 * static_cast<int>(line(100).size());
  std::string more = text;
  for (int i = 0; i < spare / 100; ++i) more += line(100);
  EXPECT_EQ(fault_of(folder.write("b.jsonl", more), 100), "");
  std::string many;
  for (int i = 0; i < 20; ++i) many += line(1000);
  EXPECT_THAT(
      fault_of(folder.write("c.jsonl", many), 1000),
      HasSubstr("c.jsonl:11: found 11000 nodes in all up to graph '11', expected at most "));
}

TEST(Budget, NodesOfAGraphInSpCl) {
  const TemporaryFolder folder;
  folder.write("a/cl.txt", "g\t0\n");
  folder.write("a/sp.txt", "g\t0\t1\t1\ng\t1\t0\t1\ng\t0\t499\t1\ng\t499\t0\t1\n");
  EXPECT_EQ(fault_of(folder / "a", 500), "");
  EXPECT_THAT(fault_of(folder / "a", 499),
              HasSubstr("sp.txt:3: found graph 'g' of 500 nodes, expected at most 499"));
}

TEST(Budget, NodesOfAGraphInTu) {
  const TemporaryFolder folder;
  folder.write("DS_A.txt", "3, 4\n4, 3\n");
  folder.write("DS_graph_indicator.txt", "1\n2\n2\n2\n");
  folder.write("DS_graph_labels.txt", "0\n1\n");
  EXPECT_EQ(fault_of(folder.path(), 3), "");
  EXPECT_THAT(fault_of(folder.path(), 2),
              HasSubstr("DS_graph_indicator.txt:2: found graph '2' of 3 nodes"));
}

TEST(Budget, NodesOfAGraphInDgcnn) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.txt", "1\n3 0\n0 0\n0 0\n0 0\n");
  EXPECT_EQ(fault_of(file, 3), "");
  EXPECT_THAT(fault_of(file, 2), HasSubstr("a.txt:2: found graph '1' of 3 nodes"));
}

TEST(Budget, NodesOfAGraphInOurOwn) {
  const TemporaryFolder folder;
  DataSet data;
  data.name = "data";
  data.class_names = {"0"};
  data.splits = {{"all", {}}};
  Sample sample;
  sample.id = "g";
  sample.graph = Graph(70'000, {{0, 1}});  // sparse6: some bytes
  data.splits[0].samples = {sample};
  write_dataset(data, folder / "data", false);
  EXPECT_EQ(fault_of(folder / "data", 70'000), "");
  EXPECT_THAT(fault_of(folder / "data", 69'999), HasSubstr("all.tsv:2: found graph 'g' of 70000"));
}

std::string graphml(int keys, int nodes) {
  std::string text = "<graphml>";
  for (int i = 0; i < keys; ++i) {
    const std::string name = std::to_string(i);
    text += "<key id='" + name + "' for='node' attr.name='" + name +
            "' attr.type='int'><default>1</default></key>";
  }
  text += "<graph>";
  for (int i = 0; i < nodes; ++i) text += "<node id='" + std::to_string(i) + "'/>";
  return text + "</graph></graphml>";
}

TEST(Budget, AttributesThatComeFromNoBytesInGraphml) {
  const TemporaryFolder folder;
  // 50 000 numbers from some 43 000 bytes; ten more for each node that a graph may have.
  folder.write("a/classes.tsv", "g\t0\n");
  folder.write("a/g.graphml", graphml(500, 100));
  EXPECT_EQ(fault_of(folder / "a", 1000), "");
  EXPECT_THAT(
      fault_of(folder / "a", 100),
      HasSubstr("g.graphml: found 500 node attributes of 100 nodes, 50000 numbers in all up "
                "to here, expected at most "));
  // Those of all files count together.
  folder.write("b/classes.tsv", "g\t0\nh\t1\n");
  folder.write("b/g.graphml", graphml(500, 100));
  folder.write("b/h.graphml", graphml(500, 100));
  EXPECT_EQ(fault_of(folder / "b", 2000), "");
  EXPECT_THAT(fault_of(folder / "b", 100),
              HasSubstr("h.graphml: found 500 node attributes of 100 nodes, 100000 numbers"));
}

TEST(Budget, ReadingCanBeStopped) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += line(3);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(read_dataset(folder.write("a.jsonl", text), {.stop = Execution{.stop = &stop}}),
               Interrupted);
}

}  // namespace
}  // namespace bermuda
