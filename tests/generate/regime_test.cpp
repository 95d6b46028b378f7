#include "bermuda/generate/regime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/graph/canonical.hpp"
#include "bermuda/graph/graph6.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

template <typename Body>
std::string refusal_of(const Body& body) {
  try {
    body();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(Regime, AxesAreRead) {
  EXPECT_THAT(parse_whole_axis("--nodes", "8:20:4"), ElementsAre(8, 12, 16, 20));
  EXPECT_THAT(parse_whole_axis("--nodes", "8:80"),
              ElementsAre(8, 16, 24, 32, 40, 48, 56, 64, 72, 80));
  EXPECT_THAT(parse_whole_axis("--distance", "2:5"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(parse_whole_axis("--nodes", "12"), ElementsAre(12));
  RegimeGrid grid;
  parse_degree_axis("--degree", "2:3:0.5", grid);
  EXPECT_THAT(grid.degrees, ElementsAre(2, 2.5, 3));
  EXPECT_EQ(grid.band(1), (Band{2.25, 2.75}));
  EXPECT_EQ(parse_sizes("--test-nodes", "20:40"), (NodeRange{20, 40}));
}

TEST(Regime, WhatIsNoAxisIsRefused) {
  for (const char* text : {"", "a", "8:", "9:8", "8:80:0", "8:80:-1", "1:2:3:4", "-3:4", "nan:5",
                           "8:9:0.5", "1:100000:1"}) {
    EXPECT_THROW(parse_whole_axis("--nodes", text), UsageError) << text;
  }
  EXPECT_THAT(refusal_of([] { parse_whole_axis("--nodes", "eight"); }),
              StrEq("--nodes: found 'eight', expected FROM:TO or FROM:TO:STEP, like 8:80 or "
                    "8:80:4"));
  for (const char* text : {"", "20", "40:20x", "40:20", "0:3", "1:2:3"}) {
    if (std::string_view(text) == "20") continue;  // one size is a range
    EXPECT_THROW(parse_sizes("--test-nodes", text), UsageError) << text;
  }
}

TEST(Regime, ATaskSaysWhichAxesItHas) {
  const auto task = make_task("triangles");
  EXPECT_THAT(refusal_of([&] { check_axes(*task, {.distances = {3}}); }),
              StrEq("triangles has no axis distance: it has nodes, degree"));
  task->parameters().get("families").set("knn,random");
  EXPECT_THAT(refusal_of([&] { check_axes(*task, {.degrees = {3}}); }), HasSubstr("it has nodes"));
  EXPECT_THROW(check_axes(*task, {}), UsageError);
}

TEST(Regime, EveryTaskMakesWhatItsRegimeSays) {
  for (const TaskInfo& info : tasks()) {
    const auto task = info.make();
    const auto axes = task->axes();
    if (std::ranges::find(axes, "nodes") == axes.end()) continue;
    const RegimeGraphs graphs = make_regime_graphs(*task, {.nodes = {16, 24}}, 7, 20, {});
    ASSERT_EQ(graphs.cells.size(), 2U);
    for (const RegimeCell& cell : graphs.cells) {
      for (std::size_t i = cell.begin; i < cell.end; ++i) {
        const Sample& sample = graphs.data.splits[0].samples[i];
        EXPECT_EQ(sample.graph.node_count(), *cell.regime.nodes) << info.name;
        const auto answer = task->answer(sample.graph);
        ASSERT_TRUE(answer) << info.name;
        EXPECT_EQ(answer->label, sample.label) << info.name;
      }
    }
  }
}

TEST(Regime, TrianglesAtAWantedDegree) {
  const auto task = make_task("triangles");
  const RegimeGrid grid{.nodes = {16, 40}, .degrees = {2, 3, 4}};
  const RegimeGraphs graphs = make_regime_graphs(*task, grid, 1, 40, {});
  ASSERT_EQ(graphs.cells.size(), 6U);
  for (const RegimeCell& cell : graphs.cells) {
    if (cell.regime.nodes == 16 && cell.regime.degree->low > 3) continue;  // perhaps too dense
    EXPECT_EQ(cell.end - cell.begin, 40U) << cell.regime.text() << ": " << cell.empty_because;
    int ones = 0;
    for (std::size_t i = cell.begin; i < cell.end; ++i) {
      const Sample& sample = graphs.data.splits[0].samples[i];
      EXPECT_TRUE(cell.regime.degree->contains(mean_degree(sample.graph)));
      ones += sample.label;
    }
    EXPECT_EQ(ones, 20);
  }
}

TEST(Regime, CliquesAtAWantedDistance) {
  const auto task = make_task("clique-distance");
  const RegimeGrid grid{.nodes = {20}, .distances = {2, 3, 4, 6, 15}};
  const RegimeGraphs graphs = make_regime_graphs(*task, grid, 1, 20, {});
  for (const RegimeCell& cell : graphs.cells) {
    if (*cell.regime.distance == 15) {
      EXPECT_EQ(cell.begin, cell.end);
      EXPECT_THAT(cell.empty_because, HasSubstr("no graph with 20 nodes, distance 15"));
      continue;
    }
    EXPECT_EQ(cell.end - cell.begin, 20U) << cell.empty_because;
    for (std::size_t i = cell.begin; i < cell.end; ++i) {
      const Sample& sample = graphs.data.splits[0].samples[i];
      EXPECT_EQ(sample.label, *cell.regime.distance >= 4 ? 1 : 0);
      EXPECT_EQ(task->distance_in(sample), cell.regime.distance);
    }
  }
}

TEST(Regime, AFieldThatCannotBeSaysWhy) {
  const auto task = make_task("clique-distance");
  const RegimeGraphs graphs = make_regime_graphs(*task, {.nodes = {6, 20}}, 1, 4, {});
  EXPECT_THAT(graphs.cells[0].empty_because, HasSubstr("too few for two cliques of 4"));
  EXPECT_EQ(graphs.cells[1].end - graphs.cells[1].begin, 4U);
}

// Whatever else is asked, on however many threads.
TEST(Regime, GraphsFollowFromSeedAndRegime) {
  const auto task = make_task("triangles");
  Execution two;
  two.threads = 2;
  const RegimeGraphs alone = make_regime_graphs(*task, {.nodes = {20}}, 3, 30, {});
  const RegimeGraphs among = make_regime_graphs(*task, {.nodes = {12, 20}}, 3, 30, two);
  const RegimeGraphs other = make_regime_graphs(*task, {.nodes = {20}}, 4, 30, {});
  std::size_t same = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string graph = encode_graph6(alone.data.splits[0].samples[i].graph);
    EXPECT_EQ(graph, encode_graph6(among.data.splits[0].samples[30 + i].graph));
    same += graph == encode_graph6(other.data.splits[0].samples[i].graph) ? 1U : 0U;
  }
  EXPECT_EQ(same, 0U);
}

TEST(Regime, NoneWasGeneratedForTraining) {
  const auto task = make_task("triangles");
  std::set<std::string> trained;
  const DataSet training = generate_candidates(*task, 1, 2000, {});
  for (const Sample* sample : training.all()) trained.insert(encode_graph6(sample->graph));
  const RegimeGraphs graphs = make_regime_graphs(*task, {.nodes = {18}}, 1, 200, {});
  std::size_t same = 0;
  for (const Sample* sample : graphs.data.all())
    same += trained.count(encode_graph6(sample->graph));
  EXPECT_EQ(same, 0U);
}

TEST(SizedCandidates, HaveTheSizesAndAvoidTheOthers) {
  const auto task = make_task("triangles");
  const DataSet trained = generate_candidates(*task, 1, 400, {});
  const auto source = sized_candidates(*task, {6, 9}, 5, 200, trained, {});
  std::set<std::string> forms;
  for (const Sample* sample : trained.all()) forms.insert(canonical_form(sample->graph));
  for (std::size_t i = 0; i < source->size(); ++i) {
    const Sample sample = source->at(i);
    EXPECT_GE(sample.graph.node_count(), 6);
    EXPECT_LE(sample.graph.node_count(), 9);
    EXPECT_EQ(sample.label, wanted_class(i));
    EXPECT_FALSE(forms.contains(canonical_form(sample.graph)));
  }
}

TEST(RecordedTask, TakesTheParametersAlong) {
  auto task = make_task("clique-distance");
  task->parameters().get("threshold").set("6");
  task->parameters().get("attach").set("distinct");
  const DataSet data = generate_candidates(*task, 1, 2, {});
  const auto again = recorded_task(data.provenance, "here");
  EXPECT_EQ(again->settings().values(), task->settings().values());
  EXPECT_EQ(copy_of(*task)->settings().values(), task->settings().values());
  EXPECT_THAT(refusal_of([] { recorded_task({}, "here"); }),
              StrEq("here: does not say for which task it was made"));
  EXPECT_THROW(recorded_task({{"task", "triangles"}, {"parameters", {{"max_nodes", "x"}}}}, "here"),
               UsageError);
}

}  // namespace
}  // namespace bermuda
