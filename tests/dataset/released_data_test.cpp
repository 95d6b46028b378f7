#include <gtest/gtest.h>

#include "bermuda/dataset/io.hpp"
#include "shared_data.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::same_graphs;
using test::TemporaryFolder;

DataSet converted(const DataSet& data, const std::filesystem::path& path, const Format& format) {
  write_dataset(data, path, format, false);
  return read_dataset(path);
}

TEST(ReleasedData, MutagKeepsEverything) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const TemporaryFolder folder;
  const DataSet data = read_dataset(shared / "TU" / "MUTAG");
  EXPECT_EQ(data.name, "MUTAG");
  EXPECT_EQ(data.size(), 188U);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"-1", "1"}));
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.class_counts(data.splits[0]), (std::vector<std::size_t>{63, 125}));
  const Sample& first = data.splits[0].samples[0];
  EXPECT_EQ(first.id, "MUTAG_1");
  EXPECT_EQ(first.graph.node_count(), 17);
  EXPECT_EQ(first.graph.edge_count(), 19);
  EXPECT_TRUE(first.graph.has_node_labels());
  EXPECT_TRUE(first.graph.has_edge_labels());
  EXPECT_FALSE(first.graph.has_edge(0, 2));
  EXPECT_TRUE(first.graph.has_edge(0, 1));

  const DataSet native = converted(data, folder / "native", format_named("native"));
  EXPECT_EQ(native.splits, data.splits);
  EXPECT_EQ(converted(native, folder / "MUTAG", format_named("tu")).splits, data.splits);
  EXPECT_EQ(converted(native, folder / "MUTAG.jsonl", format_named("jsonl")).splits, data.splits);
  const DataSet text = converted(native, folder / "MUTAG.txt", format_named("dgcnn"));
  ASSERT_EQ(text.size(), data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Graph& graph = data.splits[0].samples[i].graph;
    const Sample& sample = text.splits[0].samples[i];
    EXPECT_EQ(sample.graph, Graph(graph.node_count(), graph.edges(), graph.node_labels()));
    EXPECT_EQ(sample.label, data.splits[0].samples[i].label);
  }
}

TEST(ReleasedData, Nci1KeepsEverything) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const TemporaryFolder folder;
  const DataSet data = read_dataset(shared / "TU" / "NCI1");
  EXPECT_EQ(data.size(), 4110U);
  EXPECT_EQ(data.class_counts(data.splits[0]), (std::vector<std::size_t>{2053, 2057}));
  const DataSet native = converted(data, folder / "native", format_named("native"));
  EXPECT_EQ(native.splits, data.splits);
  EXPECT_EQ(converted(native, folder / "NCI1", format_named("tu")).splits, data.splits);
}

void check_released(const std::filesystem::path& source, double mean_nodes, double mean_edges) {
  const TemporaryFolder folder;
  const DataSet data = read_dataset(source);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"0", "1"}));
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.splits[0].name, "test");
  EXPECT_EQ(data.size(), 1000U);
  double nodes = 0;
  double edges = 0;
  for (const Sample* sample : data.all()) {
    nodes += sample->graph.node_count();
    edges += sample->graph.edge_count();
  }
  EXPECT_NEAR(nodes / 1000, mean_nodes, 0.15);
  EXPECT_NEAR(edges / 1000, mean_edges, 0.15);
  const DataSet native = converted(data, folder / "native", format_named("native"));
  EXPECT_EQ(native.splits, data.splits);
  EXPECT_EQ(converted(native, folder / "back", format_named("spcl")).splits, data.splits);
  EXPECT_TRUE(same_graphs(converted(native, folder / "tu", format_named("tu")), data));
}

TEST(ReleasedData, TrianglesSplit) {
  BERMUDA_NEED_SHARED_DATA(shared);
  check_released(shared / "released" / "triangles", 13.3, 18.7);
}

TEST(ReleasedData, CliqueSplit) {
  BERMUDA_NEED_SHARED_DATA(shared);
  check_released(shared / "released" / "clique", 20.6, 32.1);
}

}  // namespace
}  // namespace bermuda
