// Tasks whose classes are the two graphs around one switch of two edges: what both classes share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"

namespace bermuda {
namespace {

using Settings = std::map<std::string, std::string>;

struct TwinTask {
  const char* name;
  const char* spare_degree;  // a mean degree at which large graphs of both classes are found
};
constexpr TwinTask kTwinTasks[] = {{"cycle-k", "2.5"}, {"clique-k", "4"},  {"connected", "3"},
                                   {"bridge", "3"},    {"bipartite", "3"}, {"planar", "2.5"}};

DataSet twins(const std::string& name, std::size_t count, const Settings& settings = {}) {
  const auto task = make_task(name);
  const ParameterSet parameters = task->parameters();
  for (const auto& [parameter, value] : settings) parameters.get(parameter).set(value);
  Execution execution;
  execution.threads = 2;
  return generate_candidates(*task, 21, count, execution);
}

/// A figure of a graph over the classes: how many standard errors their means lie apart.
template <typename Figure>
double standard_errors_apart(const DataSet& data, Figure figure) {
  double sum[2] = {0, 0};
  double squares[2] = {0, 0};
  double count[2] = {0, 0};
  for (const Sample* sample : data.all()) {
    const double value = figure(sample->graph);
    sum[sample->label] += value;
    squares[sample->label] += value * value;
    ++count[sample->label];
  }
  double error = 0;
  for (int c = 0; c < 2; ++c) {
    const double mean = sum[c] / count[c];
    error += (squares[c] / count[c] - mean * mean) / count[c];
  }
  const double apart = std::abs(sum[0] / count[0] - sum[1] / count[1]);
  return apart == 0 ? 0 : apart / std::sqrt(error);
}

double triangles_of(const Graph& graph) {
  double count = 0;
  for (const Edge& edge : graph.edges()) {
    for (int w = edge.v + 1; w < graph.node_count(); ++w) {
      if (graph.has_edge(edge.u, w) && graph.has_edge(edge.v, w)) ++count;
    }
  }
  return count;
}

double squares_of(const Graph& graph) {
  double count = 0;  // each is seen from both of its pairs of opposite corners
  for (int u = 0; u < graph.node_count(); ++u) {
    for (int v = u + 1; v < graph.node_count(); ++v) {
      double common = 0;
      for (int w = 0; w < graph.node_count(); ++w) {
        if (w != u && w != v && graph.has_edge(u, w) && graph.has_edge(v, w)) ++common;
      }
      count += common * (common - 1) / 2;
    }
  }
  return count / 2;
}

double leaves_of(const Graph& graph) {
  const std::vector<int> degrees = graph.degrees();
  return static_cast<double>(std::ranges::count(degrees, 1));
}

// Both classes have the same distribution of all this; five standard errors are no accident.
TEST(TwinTasks, SizesAndDegreesDoNotTellTheClass) {
  for (const TwinTask& task : kTwinTasks) {
    const DataSet data = twins(task.name, 8000);
    const auto expect_equal = [&](const char* what, auto figure) {
      EXPECT_LT(standard_errors_apart(data, figure), 5) << task.name << ": " << what;
    };
    expect_equal("nodes", [](const Graph& graph) { return graph.node_count(); });
    expect_equal("edges", [](const Graph& graph) { return graph.edge_count(); });
    expect_equal("leaves", leaves_of);
    expect_equal("largest degree",
                 [](const Graph& graph) { return std::ranges::max(graph.degrees()); });
    expect_equal("squared degrees", [](const Graph& graph) {
      double sum = 0;
      for (const int degree : graph.degrees()) sum += degree * degree;
      return sum;
    });
    expect_equal("degree products", [](const Graph& graph) {
      const std::vector<int> degrees = graph.degrees();
      double sum = 0;
      for (const auto [u, v] : graph.edges()) {
        sum += degrees[static_cast<std::size_t>(u)] * degrees[static_cast<std::size_t>(v)];
      }
      return sum;
    });
    expect_equal("triangles", triangles_of);
    if (std::string(task.name) != "cycle-k" && std::string(task.name) != "clique-k") {
      expect_equal("squares", squares_of);
    }
  }
}

TEST(TwinTasks, FollowTheRangesOfNodesAndDegrees) {
  for (const TwinTask& task : kTwinTasks) {
    const std::string degree = task.spare_degree;
    const DataSet data = twins(task.name, 40,
                               {{"min-nodes", "70"},
                                {"max-nodes", "90"},
                                {"min-degree", degree},
                                {"max-degree", degree + (degree.size() > 1 ? "5" : ".2")}});
    for (const Sample* sample : data.all()) {
      const int nodes = sample->graph.node_count();
      ASSERT_GE(nodes, 70) << task.name;
      ASSERT_LE(nodes, 90) << task.name;
      const double mean = 2.0 * sample->graph.edge_count() / nodes;
      ASSERT_GE(mean, std::stod(degree)) << task.name;
      ASSERT_LE(mean, std::stod(degree) + 0.2) << task.name;
      for (const int each : sample->graph.degrees()) ASSERT_GT(each, 0) << task.name;
    }
  }
}

TEST(TwinTasks, EveryLengthOfCycleAndSizeOfClique) {
  for (int k = 4; k <= 8; ++k) {
    const DataSet data = twins("cycle-k", 200, {{"k", std::to_string(k)}});
    for (const Sample* sample : data.all()) {
      ASSERT_EQ(sample->witness.nodes.size(), sample->label == 1 ? static_cast<std::size_t>(k) : 0);
      ASSERT_EQ(sample->witness.edges.size(), sample->witness.nodes.size());
    }
  }
  for (int k = 3; k <= 5; ++k) {
    const DataSet data = twins("clique-k", 200, {{"k", std::to_string(k)}});
    for (const Sample* sample : data.all()) {
      ASSERT_EQ(sample->witness.nodes.size(), sample->label == 1 ? static_cast<std::size_t>(k) : 0);
    }
  }
}

TEST(TwinTasks, NodeOrderIsShuffled) {
  // A planted pattern would have the first nodes.
  int first = 0;
  for (const char* name : {"cycle-k", "clique-k"}) {
    const DataSet data = twins(name, 400);
    for (const Sample* sample : data.all()) {
      first += sample->witness.nodes == std::vector<int>{0, 1, 2, 3} ? 1 : 0;
    }
  }
  EXPECT_LT(first, 8);
}

TEST(TwinTasks, AnswerOfGraphsThatNobodyGenerates) {
  const Graph nothing(0, {});
  const Graph one(1, {});
  const Graph two(2, {});
  EXPECT_FALSE(make_task("connected")->answer(nothing));
  EXPECT_FALSE(make_task("bridge")->answer(nothing));
  EXPECT_FALSE(make_task("bipartite")->answer(nothing));
  EXPECT_EQ(make_task("connected")->answer(one)->label, 1);
  EXPECT_EQ(make_task("connected")->answer(two)->witness, (Witness{{0}, {}}));
  EXPECT_EQ(make_task("bridge")->answer(one)->label, 0);
  EXPECT_FALSE(make_task("bridge")->answer(two));
  EXPECT_EQ(make_task("bipartite")->answer(two)->witness, (Witness{{0, 1}, {}}));
  EXPECT_EQ(make_task("cycle-k")->answer(nothing)->label, 0);
  EXPECT_EQ(make_task("clique-k")->answer(nothing)->label, 0);
}

TEST(TwinTasks, RefuseRangesWithoutGraphs) {
  for (const TwinTask& task : kTwinTasks) {
    EXPECT_THROW(twins(task.name, 2, {{"min-nodes", "30"}}), UsageError) << task.name;
    EXPECT_THROW(twins(task.name, 2, {{"min-degree", "9"}}), UsageError) << task.name;
  }
  try {
    twins("bridge", 2, {{"min-degree", "2"}, {"max-degree", "2"}});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "mean degrees of 2 to 2 allow no graph of 10 nodes; this task needs at least 11 "
                 "edges for these, at most 10 of them fit --max-degree");
  }
}

}  // namespace
}  // namespace bermuda
