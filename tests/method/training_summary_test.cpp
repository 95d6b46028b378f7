#include "bermuda/method/training_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

DataSet data_of(std::vector<Graph> graphs) {
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits = {{"all", {}}};
  for (Graph& graph : graphs) {
    Sample sample;
    sample.graph = std::move(graph);
    data.splits[0].samples.push_back(std::move(sample));
  }
  return data;
}

TrainingSummary summary_of(const DataSet& data) { return summarise_training(data.all(), data); }

std::vector<std::string> notes(const TrainingSummary& training, const DataSet& data) {
  return unlike_training(training, data.all(), data);
}

TEST(TrainingSummary, TellsWhatTheGraphsAreLike) {
  DataSet data = data_of({Graph(2, {{0, 1}}, {3, 1}, {5}), Graph(4, {}, {1, 1, 1, -2})});
  data.splits[0].samples[1].graph.set_attributes(2, std::vector<double>(8, 0.5));
  data.provenance["task"] = "triangles";
  data.provenance["parameters"] = {{"max_nodes", 20}};
  const TrainingSummary summary = summary_of(data);
  EXPECT_EQ(summary.task, "triangles");
  EXPECT_EQ(summary.graphs, 2U);
  EXPECT_EQ(summary.min_nodes, 2);
  EXPECT_EQ(summary.max_nodes, 4);
  EXPECT_EQ(summary.mean_nodes, 3);
  EXPECT_EQ(summary.mean_edges, 0.5);
  EXPECT_THAT(summary.node_labels, ElementsAre(-2, 1, 3));
  EXPECT_THAT(summary.edge_labels, ElementsAre(5));
  EXPECT_EQ(summary.attribute_width, 2);
  EXPECT_EQ(summary.min_degree, 0);
  EXPECT_EQ(summary.max_degree, 1);
  EXPECT_EQ(summary.parameters["max_nodes"], 20);
  EXPECT_EQ(training_summary_of(to_json(summary)), summary);
}

TEST(TrainingSummary, OfAnOlderFileLacksDegrees) {
  nlohmann::ordered_json older = to_json(summary_of(data_of({Graph(2, {{0, 1}})})));
  older.erase("min_degree");
  older.erase("max_degree");
  const TrainingSummary summary = training_summary_of(older);
  EXPECT_FALSE(summary.min_degree || summary.max_degree);
  EXPECT_TRUE(summary.parameters.empty());
}

TEST(TrainingSummary, TheSameDataIsNoSurprise) {
  const DataSet data =
      data_of({Graph(2, {{0, 1}}, {3, 1}, {5}), Graph(0, {}), Graph(2, {}, {1, 1})});
  EXPECT_THAT(notes(summary_of(data), data), IsEmpty());
}

TEST(TrainingSummary, LabelsThatTrainingDidNotHave) {
  const TrainingSummary plain = summary_of(data_of({Graph(2, {{0, 1}})}));
  EXPECT_THAT(notes(plain, data_of({Graph(2, {{0, 1}}, {1, 1}, {2}), Graph(2, {{0, 1}})})),
              ElementsAre("training had no node labels, 1 of 2 graphs has some",
                          "training had no edge labels, 1 of 2 graphs has some"));
}

TEST(TrainingSummary, LongListsAreCut) {
  const TrainingSummary training = summary_of(data_of({Graph(7, {}, {1, 1, 1, 1, 1, 1, 1})}));
  const Graph strange(7, {}, {9, 8, 7, 6, 5, 4, 1});
  EXPECT_THAT(notes(training, data_of({strange, strange})),
              ElementsAre("2 of 2 graphs have node labels that training never saw (4, 5, 6, 7, 8, "
                          "...)"));
}

}  // namespace
}  // namespace bermuda
