#include "bermuda/generate/generate.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
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
  EXPECT_EQ(fingerprint(make("cycle-k", 2000, 1)),
            "d488f5f3a04b8460924ddb17a6654dffdfbb2584b9378837ec8fa3dc4fb3ddaf");
  EXPECT_EQ(fingerprint(make("cycle-k", 200, 1, 1, {{"k", "7"}})),
            "ea63fe2a2aebeacd2107453327c746ea33a0634a4244b2e53f3d166231a1dec5");
  EXPECT_EQ(fingerprint(make("clique-k", 2000, 1)),
            "06bd47b1f9b60890c2042ee5541a36e3fa4ee0c820a33357215be5989fbd77a5");
  EXPECT_EQ(fingerprint(make("connected", 2000, 1)),
            "ca54d36e684280dc541059c39d78316e0e27d226ff7919def75791cf8c6c8fae");
  EXPECT_EQ(fingerprint(make("bridge", 2000, 1)),
            "bf4adcc1e1589775f283d619892496418776c44edf5e4b63fd99c14f8c89944e");
  EXPECT_EQ(fingerprint(make("bipartite", 2000, 1)),
            "7e550e3b48bcaa352261a7e886f8a36f6664abb06bd4765219b1c08fd3a6d79d");
}

// More nodes than fit into a word, so that the general way is taken everywhere.
TEST(Generate, PinnedChecksumsOfLargeGraphs) {
  EXPECT_EQ(fingerprint(make("triangles", 200, 3, 1, {{"min-nodes", "50"}, {"max-nodes", "130"}})),
            "8f18a49c1127e68d3ee1dc0bee159a53d59c3dd57a706139b34faf50ae41e898");
  EXPECT_EQ(
      fingerprint(make(
          "clique-distance", 200, 3, 1,
          {{"min-nodes", "50"}, {"max-nodes", "300"}, {"clique-size", "6"}, {"threshold", "5"}})),
      "dbab023fdade7728efbc35e4b16ae036f413876637897f1992c68a5adbf75eae");
}

TEST(Generate, InPartsIsTheSame) {
  for (const int threads : {1, 3}) {
    const auto task = make_task("triangles");
    Execution execution;
    execution.threads = threads;
    const DataSet plain = generate_candidates(*task, 7, 5000, execution);
    EncodedDataSet encoded{describe_candidates(*task, 7, 5000), {""}};
    std::size_t parts = 0;
    generate_parts(*task, 7, 5000, execution, [&](const EncodedSplit& part) {
      if (parts++ == 0) {
        encoded.figures.splits = {part.figures};
        encoded.texts = {part.text};
        return;
      }
      EncodedSplit whole{encoded.figures.splits[0], encoded.texts[0]};
      whole.append(part);
      encoded.figures.splits = {whole.figures};
      encoded.texts = {whole.text};
    });
    EXPECT_GT(parts, 1u);
    const DataSet together = decode_dataset(encoded);
    EXPECT_EQ(together.splits, plain.splits);
    EXPECT_EQ(together.class_names, plain.class_names);
    EXPECT_EQ(together.provenance, plain.provenance);
    EXPECT_EQ(encoded.figures.splits, figures_of(plain).splits);
  }
}

/// Succeeds when the attempt's first number is below `chance` in 2^32.
class UnlikelyTask : public Task {
 public:
  explicit UnlikelyTask(std::uint32_t chance) : chance_(chance) {}
  ParameterSet parameters() override { return {}; }
  std::string_view name() const override { return "unlikely"; }
  void validate() const override {}
  std::vector<std::string> class_meanings() const override { return {"no", "yes"}; }
  std::optional<TaskAnswer> answer(const Graph&, StopPoll) const override { return {}; }

 private:
  std::string_view id_prefix() const override { return "UN"; }
  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll) const override {
    RandomStream shared = shared_by_attempts(random);
    if (random.next_u32() >= chance_) return {};
    Sample sample;
    sample.label = wanted;
    sample.origin = std::to_string(shared.next_u32()) + " " + std::to_string(random.next_u32());
    return sample;
  }
  std::string failure(std::uint32_t attempts, const RandomStream&, int wanted) const override {
    return std::to_string(attempts) + " for class " + std::to_string(wanted);
  }

  std::uint32_t chance_;
};

TEST(Generate, TriesAgainWithTheNextStreamOfTheGraph) {
  const UnlikelyTask task(1U << 28);  // one in sixteen
  for (const std::uint64_t index : {0U, 1U, 17U, 123U}) {
    std::uint32_t attempt = 0;
    while (RandomStream(5, Purpose::kGenerate, index, attempt).next_u32() >= 1U << 28) ++attempt;
    RandomStream right(5, Purpose::kGenerate, index, attempt);
    right.next_u32();
    RandomStream shared(5, Purpose::kGenerate, index, 100000);
    const Sample sample = task.make(5, index);
    EXPECT_EQ(sample.origin,
              std::to_string(shared.next_u32()) + " " + std::to_string(right.next_u32()));
    EXPECT_EQ(sample.label, wanted_class(index));
    EXPECT_EQ(sample.id, "UN" +
                             std::string(index < 10    ? 6
                                         : index < 100 ? 5
                                                       : 4,
                                         '0') +
                             std::to_string(index));
  }
}

TEST(Generate, GivesUpAndSaysWhy) {
  try {
    UnlikelyTask(0).make(5, 1);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unlikely: 100000 for class 1; other parameters are needed");
  }
  try {
    make("triangles", 2, 1, 1, {{"min-nodes", "3"}, {"max-nodes", "3"}, {"families", "knn"}});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "triangles: 100000 base graphs of family knn in a row could not be made into one "
                 "with 0 triangles and at least 3 edges; other parameters are needed");
  }
}

TEST(Generate, SameForAnyNumberOfThreadsAndPureInTheIndex) {
  for (const char* name : {"triangles", "clique-distance", "cycle-k", "clique-k", "connected",
                           "bridge", "bipartite"}) {
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

TEST(CliqueDistance, EdgesOfANewNodeMayBeLeftOpen) {
  const DataSet open = make("clique-distance", 400, 3);
  EXPECT_TRUE(open.provenance["parameters"]["ba_m"].is_null());
  std::set<std::string> origins;
  for (const Sample* sample : open.all()) origins.insert(sample->origin);
  EXPECT_EQ(origins, (std::set<std::string>{"m1", "m2"}));
  const DataSet one = make("clique-distance", 400, 3, 1, {{"ba-m", "1"}});
  EXPECT_EQ(one.provenance["parameters"]["ba_m"], 1);
  for (const Sample* sample : one.all()) EXPECT_EQ(sample->origin, "m1");
  EXPECT_THROW(make("clique-distance", 2, 3, 1, {{"ba-m", "0"}}), UsageError);
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
