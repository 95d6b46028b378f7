#include "bermuda/generate/pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/graph/wl.hpp"

namespace bermuda {
namespace {

DataSet pairs_of(const std::string& task_name, const std::string& same, std::size_t count,
                 std::uint64_t seed = 1, int threads = 1) {
  Execution execution;
  execution.threads = threads;
  return make_pairs(*make_task(task_name), Sameness::parse("same", same), seed, count, execution);
}

std::vector<int> sorted_degrees(const Graph& graph) {
  std::vector<int> degrees = graph.degrees();
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

std::map<std::pair<int, int>, int> joint_degrees(const Graph& graph) {
  const std::vector<int> degrees = graph.degrees();
  std::map<std::pair<int, int>, int> counts;
  for (const Edge& edge : graph.edges()) {
    const int u = degrees[static_cast<std::size_t>(edge.u)];
    const int v = degrees[static_cast<std::size_t>(edge.v)];
    ++counts[{std::min(u, v), std::max(u, v)}];
  }
  return counts;
}

/// The largest number of rounds up to `most` after which the two have equal colours.
int equal_rounds(const Graph& first, const Graph& second, int most) {
  WlColouring colouring({.rounds = most});
  auto one = colouring.learn(first);
  auto other = colouring.learn(second);
  for (int round = 0; round <= most; ++round) {
    auto& a = one[static_cast<std::size_t>(round)];
    auto& b = other[static_cast<std::size_t>(round)];
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b) return round - 1;
  }
  return most;
}

void expect_twins(const DataSet& data, const Task& task, std::size_t count) {
  ASSERT_EQ(data.splits.size(), 1u);
  const std::vector<Sample>& samples = data.splits[0].samples;
  ASSERT_EQ(samples.size(), 2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const Sample& a = samples[2 * i];
    const Sample& b = samples[2 * i + 1];
    EXPECT_EQ(a.id, task.id_of(i) + "-a");
    EXPECT_EQ(b.id, task.id_of(i) + "-b");
    EXPECT_NE(a.label, b.label);
    EXPECT_EQ(a.origin, b.origin);
    for (const Sample* sample : {&a, &b}) {
      const auto answer = task.answer(sample->graph);
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->label, sample->label);
      EXPECT_EQ(answer->witness, sample->witness);
    }
  }
}

TEST(Sameness, Text) {
  for (const std::string text : {"none", "degrees", "degree-pairs", "wl-1", "wl-12", "wl-99"}) {
    EXPECT_EQ(Sameness::parse("same", text, true).text(), text);
  }
  for (const std::string text :
       {"", "none", "degree", "wl", "wl-", "wl-0", "wl-100", "wl-+3", "wl-03", "wl-3 "}) {
    EXPECT_THROW(Sameness::parse("same", text), UsageError) << text;
  }
  try {
    Sameness::parse("pairs", "looks");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "pairs: found 'looks', expected degrees, degree-pairs or wl-1..wl-99");
  }
}

TEST(Pairs, AgreeInWhatIsNamed) {
  for (const TaskInfo& info : tasks()) {
    const auto task = info.make();
    for (const std::string same : {"degrees", "degree-pairs", "wl-1", "wl-2", "wl-3"}) {
      SCOPED_TRACE(std::string(info.name) + " " + same);
      const DataSet data = pairs_of(std::string(info.name), same, 40);
      expect_twins(data, *task, 40);
      EXPECT_EQ(data.provenance["pairs"]["same"], same);
      EXPECT_EQ(data.provenance["pairs"]["count"], 40);
      EXPECT_EQ(data.provenance["task"], info.name);
      for (std::size_t i = 0; i < 80; i += 2) {
        const Graph& a = data.splits[0].samples[i].graph;
        const Graph& b = data.splits[0].samples[i + 1].graph;
        EXPECT_EQ(sorted_degrees(a), sorted_degrees(b));
        if (same == "degree-pairs") {
          EXPECT_EQ(joint_degrees(a), joint_degrees(b));
        }
        if (same.starts_with("wl-")) {
          const int rounds = Sameness::parse("same", same).rounds;
          EXPECT_EQ(equal_rounds(a, b, rounds), rounds);
        }
      }
    }
  }
}

// What falls apart is told by that alone, whatever else is the same.
TEST(Pairs, HaveEquallyManyComponents) {
  const auto connected = make_task("connected");
  for (const TaskInfo& info : tasks()) {
    for (const std::string same : {"degrees", "wl-2"}) {
      SCOPED_TRACE(std::string(info.name) + " " + same);
      const DataSet data = pairs_of(std::string(info.name), same, 300);
      const bool differ = info.name == "connected";
      EXPECT_EQ(data.provenance["pairs"]["same_components"], !differ);
      for (std::size_t i = 0; i < data.splits[0].samples.size(); i += 2) {
        const auto a = connected->answer(data.splits[0].samples[i].graph);
        const auto b = connected->answer(data.splits[0].samples[i + 1].graph);
        EXPECT_EQ(a->label != b->label, differ);
      }
    }
  }
}

// Lifts of one graph: nothing that any number of rounds could tell.
TEST(Pairs, ManyRounds) {
  for (const std::string task : {"triangles", "clique-distance"}) {
    const DataSet data = pairs_of(task, "wl-50", 20);
    for (std::size_t i = 0; i < 40; i += 2) {
      EXPECT_EQ(
          equal_rounds(data.splits[0].samples[i].graph, data.splits[0].samples[i + 1].graph, 50),
          50);
    }
  }
}

TEST(Pairs, NeitherThreadsNorCountMatter) {
  const DataSet few = pairs_of("triangles", "degree-pairs", 30, 7);
  const DataSet many = pairs_of("triangles", "degree-pairs", 60, 7, 3);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(few.splits[0].samples[i], many.splits[0].samples[i]);
  }
  EXPECT_NE(few.splits[0].samples, pairs_of("triangles", "degree-pairs", 30, 8).splits[0].samples);
}

// Whoever always says that the first twin is of class 1 is right half of the time.
TEST(Pairs, PlaceTellsNothing) {
  constexpr int kCount = 2000;
  const DataSet data = pairs_of("triangles", "degrees", kCount);
  int ones_first = 0;
  for (std::size_t i = 0; i < data.splits[0].samples.size(); i += 2) {
    ones_first += data.splits[0].samples[i].label;
  }
  EXPECT_NEAR(ones_first, kCount / 2, 100);  // 4.5 standard deviations
}

/// Whether some edge added or removed gives the other class.
bool one_edge_flips(const Task& task, const Sample& sample) {
  for (int v = 1; v < sample.graph.node_count(); ++v) {
    for (int u = 0; u < v; ++u) {
      std::vector<Edge> edges = sample.graph.edges();
      if (std::erase(edges, Edge{u, v}) == 0) edges.push_back({u, v});
      const auto answer = task.answer(Graph(sample.graph.node_count(), edges));
      if (answer && answer->label != sample.label) return true;
    }
  }
  return false;
}

TEST(NearestPairs, AreNearest) {
  for (const std::string name : {"triangles", "clique-distance"}) {
    SCOPED_TRACE(name);
    const auto task = make_task(name);
    const DataSet data = generate_candidates(*task, 5, 40, {});
    std::size_t one_away = 0;
    for (const Sample* sample : data.all()) one_away += one_edge_flips(*task, *sample) ? 1U : 0U;
    NearestReport report;
    const DataSet pairs =
        nearest_pairs(*recorded_task(data.provenance, "data"), data, {}, 1, report, {});
    EXPECT_EQ(report.found[1], one_away);
    EXPECT_EQ(report.found[1] + report.found[2] + report.farther + report.given_up, 40u);
    const auto& listed = pairs.provenance["pairs"]["twins"];
    ASSERT_EQ(2 * listed.size(), pairs.size());
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const Sample& a = pairs.splits[0].samples[2 * i];
      const Sample& b = pairs.splits[0].samples[2 * i + 1];
      EXPECT_EQ(a.id, listed[i]["of"].get<std::string>() + "-a");
      EXPECT_NE(a.label, b.label);
      EXPECT_LE(std::abs(a.graph.edge_count() - b.graph.edge_count()), 2);
      EXPECT_EQ(listed[i]["changed_edges"], listed[i]["changes"]);
    }
  }
}

TEST(NearestPairs, KeepWhatIsNamed) {
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 5, 40, {});
  for (const std::string same : {"degrees", "degree-pairs", "wl-2"}) {
    NearestReport report;
    NearestOptions options{Sameness::parse("same", same, true), 1, 100000};
    const DataSet pairs = nearest_pairs(*task, data, options, 1, report, {});
    EXPECT_GT(pairs.size(), 0u);
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      const Graph& a = pairs.splits[0].samples[i].graph;
      const Graph& b = pairs.splits[0].samples[i + 1].graph;
      EXPECT_EQ(sorted_degrees(a), sorted_degrees(b));
      if (same != "degrees") {
        EXPECT_EQ(joint_degrees(a), joint_degrees(b));
      }
      if (same == "wl-2") {
        EXPECT_EQ(equal_rounds(a, b, 2), 2);
      }
    }
  }
}

TEST(NearestPairs, WantATaskAndItsClasses) {
  DataSet data = generate_candidates(*make_task("triangles"), 5, 10, {});
  NearestReport report;
  data.splits[0].samples[3].label = 1 - data.splits[0].samples[3].label;
  EXPECT_THROW(nearest_pairs(*recorded_task(data.provenance, "data"), data, {}, 1, report, {}),
               UsageError);
  data.provenance.erase("task");
  EXPECT_THROW(recorded_task(data.provenance, "data"), UsageError);
}

TEST(Pairs, Refusals) {
  EXPECT_THROW(pairs_of("triangles", "degrees", 0), UsageError);
  EXPECT_THROW(pairs_of("triangles", "none", 10), UsageError);
}

}  // namespace
}  // namespace bermuda
