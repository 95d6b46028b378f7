#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/generate/spread.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/graph/graph6.hpp"

namespace bermuda {
namespace {

DataSet make(const std::string& name, std::size_t count, std::uint64_t seed, int threads = 1,
             const std::map<std::string, std::string>& settings = {}) {
  const auto task = make_task(name);
  const ParameterSet parameters = task->parameters();
  for (const auto& [parameter, value] : settings) parameters.get(parameter).set(value);
  Execution execution;
  execution.threads = threads;
  return generate_candidates(*task, seed, count, execution);
}

std::string fingerprint(const DataSet& data) {
  std::string text;
  for (const Sample* sample : data.all()) {
    text += sample->id + " " + std::to_string(sample->label) + " " + encode_graph6(sample->graph) +
            " " + sample->origin + "\n";
    for (const Edge& edge : sample->witness.edges) {
      text += std::to_string(edge.u) + "-" + std::to_string(edge.v) + " ";
    }
  }
  return sha256(text);
}

int triangles(const Graph& graph) {
  int count = 0;
  for (const Edge& edge : graph.edges()) {
    for (int w = edge.v + 1; w < graph.node_count(); ++w) {
      if (graph.has_edge(edge.u, w) && graph.has_edge(edge.v, w)) ++count;
    }
  }
  return count;
}

TEST(Generate, PinnedChecksums) {
  // If these change, every data set anybody has made with a seed changes: raise the format version.
  EXPECT_EQ(fingerprint(make("triangles", 2000, 1)),
            "7839fa230c03d9d883088797635f83868c7b80f470ba47208264b852e9f7f7a2");
  EXPECT_EQ(fingerprint(make("triangles", 2000, 1, 1, {{"families", "knn,radius"}})),
            "5d34b5564d914a892d3820a5c562594ffc33ea4a69ac05099abbe724a4a77d2e");
  EXPECT_EQ(fingerprint(make("clique-distance", 2000, 1)),
            "b1f8200fb92377e26df14a3492e5943b75dab9faf3845fd58e229da15d6aee47");
  EXPECT_EQ(fingerprint(make("clique-distance", 2000, 1, 1, {{"node-order", "shuffled"}})),
            "3f52d6b3247808fa5257e9155079503b5e543d39adbb7ff14f610fd86a588bc6");
}

TEST(Generate, ByATeamIsTheSame) {
  for (const int threads : {1, 3}) {
    const auto task = make_task("triangles");
    Execution execution;
    execution.threads = threads;
    const DataSet plain = generate_candidates(*task, 7, 5000, execution);
    const EncodedDataSet encoded =
        generate_candidates(*task, 7, 5000, execution, *make_solo_team());
    const DataSet spread = decode_dataset(encoded);
    EXPECT_EQ(spread.splits, plain.splits);
    EXPECT_EQ(spread.class_names, plain.class_names);
    EXPECT_EQ(spread.provenance, plain.provenance);
    EXPECT_EQ(encoded.figures.splits, figures_of(plain).splits);
  }
}

TEST(Generate, SameForAnyNumberOfThreadsAndPureInTheIndex) {
  for (const char* name : {"triangles", "clique-distance"}) {
    const DataSet one = make(name, 3000, 7, 1);
    EXPECT_EQ(fingerprint(one), fingerprint(make(name, 3000, 7, 2)));
    EXPECT_NE(fingerprint(one), fingerprint(make(name, 3000, 8, 2)));
    EXPECT_EQ(make_task(name)->make(7, 1234), one.splits[0].samples[1234]);
  }
}

TEST(Generate, ClassesAreBalancedInEveryEvenCountAndEveryFold) {
  std::map<std::size_t, int> by_fold;
  int balance = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    balance += wanted_class(i) == 1 ? 1 : -1;
    by_fold[i % 10] += wanted_class(i) == 1 ? 1 : -1;
    if (i % 2 == 1) {
      EXPECT_EQ(balance, 0);
    }
  }
  for (const auto& [fold, difference] : by_fold) EXPECT_EQ(difference, 0) << fold;
}

TEST(Triangles, HaveTheWantedNumberAndItsWitness) {
  for (const char* families : {"random", "knn", "radius", "random,knn,radius"}) {
    const DataSet data = make("triangles", 1000, 3, 2, {{"families", families}});
    for (const Sample* sample : data.all()) {
      ASSERT_EQ(triangles(sample->graph), sample->label) << sample->id;
      ASSERT_GE(sample->graph.edge_count(), 3);
      ASSERT_LE(sample->graph.node_count(), 20);
      for (const int degree : sample->graph.degrees()) ASSERT_GT(degree, 0) << "isolated node";
      ASSERT_EQ(sample->witness.nodes.size(), sample->label == 1 ? 3U : 0U);
      for (const Edge& edge : sample->witness.edges) {
        ASSERT_TRUE(sample->graph.has_edge(edge.u, edge.v));
      }
    }
  }
}

TEST(Triangles, FamiliesAreDrawnEquallyOften) {
  const DataSet data = make("triangles", 4000, 5, 2, {{"families", "knn,radius"}});
  int knn = 0;
  for (const Sample* sample : data.all()) knn += sample->origin.starts_with("knn") ? 1 : 0;
  EXPECT_NEAR(knn, 2000, 130);  // four standard deviations
}

TEST(Triangles, NodesAreUniformInTheRange) {
  const DataSet data = make("triangles", 6000, 11, 2);
  std::map<int, int> counts;
  for (const Sample* sample : data.all()) ++counts[sample->graph.node_count()];
  EXPECT_GT(counts[20], 250);
  EXPECT_GT(counts[6], 150);
}

TEST(Triangles, LargeGraphsWork) {
  const DataSet data = make("triangles", 20, 1, 2, {{"min-nodes", "100"}, {"max-nodes", "200"}});
  for (const Sample* sample : data.all()) EXPECT_EQ(triangles(sample->graph), sample->label);
}

TEST(CliqueDistance, ShapeOfTheGraph) {
  for (const char* attach : {"anywhere", "distinct"}) {
    const DataSet data = make("clique-distance", 1000, 3, 2, {{"attach", attach}});
    for (const Sample* sample : data.all()) {
      const int base = sample->graph.node_count() - 8;
      const int m = sample->origin == "m1" ? 1 : 2;
      ASSERT_EQ(sample->graph.edge_count(), m * (base - m) + 12 + 2) << sample->id;
      const int distance = static_cast<int>(sample->witness.edges.size()) - 12;
      ASSERT_EQ(distance >= 4 ? 1 : 0, sample->label);
      if (std::string(attach) == "distinct") {
        ASSERT_GE(distance, 3);
      }
    }
  }
}

TEST(CliqueDistance, ReleasedOrderListsCliquesLastAndShuffledDoesNot) {
  const auto cliques_last = [](const Sample& sample) {
    const int n = sample.graph.node_count();
    for (int first : {n - 8, n - 4}) {
      for (int u = first; u < first + 4; ++u) {
        for (int v = u + 1; v < first + 4; ++v) {
          if (!sample.graph.has_edge(u, v)) return false;
        }
      }
    }
    return true;
  };
  const DataSet released = make("clique-distance", 200, 3);
  for (const Sample* sample : released.all()) EXPECT_TRUE(cliques_last(*sample));
  const DataSet shuffled = make("clique-distance", 200, 3, 1, {{"node-order", "shuffled"}});
  int last = 0;
  for (const Sample* sample : shuffled.all()) last += cliques_last(*sample) ? 1 : 0;
  EXPECT_LT(last, 5);
}

TEST(Generate, RefusesBadSettings) {
  EXPECT_THROW(make_task("squares"), UsageError);
  EXPECT_THROW(make("triangles", 0, 1), UsageError);
  EXPECT_THROW(make("triangles", 7, 1), UsageError);
  EXPECT_THROW(make("triangles", 2, 1, 1, {{"min-nodes", "30"}}), UsageError);
  EXPECT_THROW(make("clique-distance", 2, 1, 1, {{"ba-m", "3"}}), UsageError);
  EXPECT_THROW(make("clique-distance", 2, 1, 1, {{"min-nodes", "30"}}), UsageError);
  // Three nodes and at least three edges are always a triangle, so class 0 cannot be reached.
  EXPECT_THROW(make("triangles", 2, 1, 1, {{"min-nodes", "3"}, {"max-nodes", "3"}}), UsageError);
}

}  // namespace
}  // namespace bermuda
