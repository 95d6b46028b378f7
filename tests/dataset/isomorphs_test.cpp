#include "bermuda/dataset/isomorphs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/dataset/io.hpp"
#include "dataset/support.hpp"
#include "shared_data.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;

/// A path or a cycle whose nodes are numbered from another start.
Sample ring(const std::string& id, int nodes, bool closed, int start) {
  std::vector<Edge> edges;
  for (int i = 0; i + 1 < nodes + (closed ? 1 : 0); ++i) {
    const int u = (start + i) % nodes;
    const int v = (start + i + 1) % nodes;
    edges.push_back({std::min(u, v), std::max(u, v)});
  }
  Sample sample;
  sample.id = id;
  sample.graph = Graph(nodes, std::move(edges));
  return sample;
}

DataSet some_data() {
  DataSet data;
  data.class_names = {"0"};
  data.splits = {
      {"train", {ring("p5", 5, false, 0), ring("c5", 5, true, 0)}},
      {"test", {ring("p5'", 5, false, 2), ring("c6", 6, true, 0), ring("c6'", 6, true, 3)}}};
  return data;
}

std::string ids_of(const DataSet& data) {
  std::string ids;
  for (const Sample* sample : data.all()) ids += sample->id + " ";
  return ids;
}

TEST(Isomorphs, ClassesAreNumberedAsTheyAppear) {
  const DataSet data = some_data();
  for (const int threads : {1, 3}) {
    Execution execution;
    execution.threads = threads;
    const auto class_of = isomorphism_classes(data.all(), execution);
    EXPECT_THAT(class_of, ElementsAre(0, 1, 0, 2, 2));
    EXPECT_EQ(count_isomorphs_across(data.splits, class_of), 1u);
  }
}

TEST(Isomorphs, GroupsOfTwinsAreTheClasses) {
  // Colours do not tell two triangles from a hexagon; labels do not look alike.
  DataSet data = some_data();
  Sample triangles = ring("2c3", 6, true, 0);
  triangles.graph = Graph(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}});
  Sample labelled = ring("c5 with labels", 5, true, 0);
  labelled.graph = Graph(5, labelled.graph.edges(), {1, 1, 1, 1, 1});
  Sample turned = ring("c5 with an edge label", 5, true, 2);
  turned.graph = Graph(5, turned.graph.edges(), {}, {0, 0, 1, 0, 0});
  Sample again = turned;
  again.graph = Graph(5, turned.graph.edges(), {}, {1, 0, 0, 0, 0});
  data.splits.push_back({"more", {triangles, labelled, turned, again}});
  for (const int threads : {1, 3}) {
    Execution execution;
    execution.threads = threads;
    EXPECT_THAT(twin_groups(data.all(), execution), ElementsAre(0, 1, 0, 2, 2, 3, 4, 5, 5));
  }
}

TEST(Isomorphs, GroupsOfTwinsAreTheClassesOfMolecules) {
  BERMUDA_NEED_SHARED_DATA(shared);
  for (const char* name : {"MUTAG", "NCI1"}) {
    const DataSet data = read_dataset(shared / "TU" / name);
    EXPECT_EQ(twin_groups(data.all(), {}), isomorphism_classes(data.all(), {})) << name;
  }
}

TEST(Isomorphs, AreDropped) {
  DataSet data = some_data();
  DataSet other;
  EXPECT_EQ(drop_isomorphs(data, other, {}), 0u);
  other.splits = {{"all", {ring("x", 5, false, 1), ring("y", 9, true, 1)}}};
  EXPECT_EQ(drop_isomorphs(data, other, {}), 2u);
  EXPECT_EQ(ids_of(data), "c5 c6 c6' ");
  EXPECT_EQ(drop_isomorphs(data, some_data(), {}), 3u);
  EXPECT_EQ(ids_of(data), "");
}

TEST(Isomorphs, TellProgress) {
  struct Counter : ProgressSink {
    void begin(std::string_view what, std::size_t total) override {
      log += std::string(what) + " " + std::to_string(total);
    }
    void advance(std::size_t count) override { log += " +" + std::to_string(count); }
    void end() override { log += " end"; }
    std::string log;
  } counter;
  Execution execution;
  execution.progress = &counter;
  DataSet data = some_data();
  drop_isomorphs(data, some_data(), execution);
  EXPECT_EQ(counter.log, "isomorphs 10 +10 end");
}

}  // namespace
}  // namespace bermuda
