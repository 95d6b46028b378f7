// planar, diameter, isomorphic-pair and csl: their graphs, and that what is easy to count does not
// tell the class.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/graph/canonical.hpp"
#include "bermuda/graph/graph6.hpp"
#include "bermuda/graph/wl.hpp"

namespace bermuda {
namespace {

using Settings = std::map<std::string, std::string>;

DataSet made(const std::string& name, std::size_t count, std::uint64_t seed,
             const Settings& settings = {}) {
  const auto task = make_task(name);
  const ParameterSet parameters = task->parameters();
  for (const auto& [parameter, value] : settings) parameters.get(parameter).set(value);
  Execution execution;
  execution.threads = 2;
  return generate_candidates(*task, seed, count, execution);
}

std::string checksum_of(const DataSet& data) {
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

TEST(BorderTasks, PinnedChecksums) {
  // If these change, every data set anybody has made with a seed changes.
  EXPECT_EQ(checksum_of(made("planar", 2000, 1)),
            "9576ebcd4130f4666ce5883fe86a9042f8ccb98e4eee829263c3f43064d22c66");
  EXPECT_EQ(checksum_of(made("diameter", 2000, 1)),
            "d1339bd9654622a81b4b5978e0c2677c6b59d53fbac37d5f371ea00ace7d22f9");
  EXPECT_EQ(checksum_of(made("isomorphic-pair", 2000, 1)),
            "d944db0db4d7751c8d4d6093de92e9dde172a388f3df48d21d937a471a7c8f25");
  EXPECT_EQ(checksum_of(made("csl", 2000, 1)),
            "8e778fbde19f28e29718453ed0549c82bf28ff0d24d6b71c3805375815320791");
}

// What cannot be is said before anything is tried.
TEST(BorderTasks, ImpossibleSettingsAreRefusedAtOnce) {
  const Settings ten = {{"min-nodes", "10"}, {"max-nodes", "10"}};
  const auto with = [](Settings settings, const Settings& more) {
    settings.insert(more.begin(), more.end());
    return settings;
  };
  const auto degree = [](const char* value) {
    return Settings{{"min-degree", value}, {"max-degree", value}};
  };
  const std::vector<std::pair<const char*, Settings>> impossible = {
      {"cycle-k", with(ten, degree("9"))},
      {"cycle-k", with(ten, degree("4"))},
      {"cycle-k", with(degree("50"), {{"k", "8"}, {"min-nodes", "200"}, {"max-nodes", "200"}})},
      {"clique-k", with(ten, degree("8"))},
      {"clique-k", with(with(ten, degree("3")), {{"k", "5"}})},
      {"clique-k", with(degree("2.2"), {{"min-nodes", "20"}, {"max-nodes", "20"}})},
      {"connected", with(ten, degree("5"))},
      {"bridge", with(degree("50"), {{"min-nodes", "200"}, {"max-nodes", "200"}})},
      {"bipartite", with(ten, degree("6"))},
      {"planar", with(degree("5"), {{"min-nodes", "12"}, {"max-nodes", "12"}})},
      {"diameter", with(ten, degree("8"))},
      {"diameter", with(with(ten, degree("4")), {{"threshold", "9"}})},
      {"isomorphic-pair", degree("2")},
      {"isomorphic-pair", degree("50")},
      {"csl", {{"min-nodes", "11"}, {"max-nodes", "11"}, {"skip-0", "3"}, {"skip-1", "4"}}},
  };
  for (const auto& [name, settings] : impossible) {
    const auto task = make_task(name);
    for (const auto& [parameter, value] : settings) task->parameters().get(parameter).set(value);
    EXPECT_THROW(task->validate(), UsageError) << name;
  }
  try {
    made("cycle-k", 2, 1, with(ten, degree("9")));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "mean degrees of 9 or more are 45 edges at least between 10 nodes; graphs that can "
        "be rid of their cycles of 4 edges have at most 17");
  }
  // What is rare can be made.
  for (const auto& [name, settings] : std::vector<std::pair<const char*, Settings>>{
           {"cycle-k", with(ten, degree("3"))},
           {"clique-k", with(with(ten, degree("4")), {{"k", "3"}})},
           {"connected", with(degree("4"), {{"min-nodes", "20"}, {"max-nodes", "20"}})},
           {"bipartite", with(degree("4"), {{"min-nodes", "20"}, {"max-nodes", "20"}})}}) {
    EXPECT_EQ(made(name, 2, 1, settings).size(), 2U) << name;
  }
}

TEST(BorderTasks, PureInTheIndex) {
  for (const char* name : {"planar", "diameter", "isomorphic-pair", "csl"}) {
    const DataSet data = made(name, 400, 7);
    for (const std::size_t index : {0U, 17U, 399U}) {
      EXPECT_EQ(make_task(name)->make(7, index), data.splits[0].samples[index]) << name;
    }
  }
}

// Both classes come from the same border by the same way, so sizes and degrees have one
// distribution. Four standard deviations of a difference of means.
TEST(BorderTasks, SizesAndDegreesDoNotTellTheClass) {
  for (const char* name : {"planar", "diameter", "isomorphic-pair", "csl"}) {
    const DataSet data = made(name, 8000, 5);
    const auto compare = [&](const char* what, auto measure) {
      double sum[2] = {0, 0};
      double squares = 0;
      for (const Sample* sample : data.all()) {
        const auto value = static_cast<double>(measure(sample->graph));
        sum[sample->label] += value;
        squares += value * value;
      }
      const double mean = (sum[0] + sum[1]) / 8000;
      const double deviation = std::sqrt(std::max(0.0, squares / 8000 - mean * mean) * 2 / 4000);
      EXPECT_NEAR(sum[0] / 4000, sum[1] / 4000, 4 * deviation + 1e-9) << name << " " << what;
    };
    compare("nodes", [](const Graph& graph) { return graph.node_count(); });
    compare("edges", [](const Graph& graph) { return graph.edge_count(); });
    compare("leaves", [](const Graph& graph) { return std::ranges::count(graph.degrees(), 1); });
    compare("largest degree", [](const Graph& graph) { return std::ranges::max(graph.degrees()); });
  }
}

TEST(BorderTasks, SizesAndDensitiesCanBeSet) {
  for (const char* name : {"planar", "diameter", "isomorphic-pair"}) {
    const DataSet data = made(
        name, 40, 3,
        {{"min-nodes", "28"}, {"max-nodes", "32"}, {"min-degree", "2.5"}, {"max-degree", "2.8"}});
    for (const Sample* sample : data.all()) {
      EXPECT_GE(sample->graph.node_count(), 28) << name;
      EXPECT_LE(sample->graph.node_count(), 32) << name;
      const double degree = 2.0 * sample->graph.edge_count() / sample->graph.node_count();
      EXPECT_GE(degree, 2.5) << name;
      EXPECT_LE(degree, 2.8) << name;
    }
  }
}

TEST(BorderTasks, LargeGraphsWork) {
  const std::map<std::string, Settings> large = {
      {"planar", {{"min-nodes", "300"}, {"max-nodes", "320"}}},
      {"diameter", {{"min-nodes", "300"}, {"max-nodes", "300"}, {"threshold", "14"}}},
      {"isomorphic-pair", {{"min-nodes", "900"}, {"max-nodes", "1000"}}},
      {"csl", {{"min-nodes", "900"}, {"max-nodes", "1000"}, {"skip-1", "40"}}}};
  for (const auto& [name, settings] : large) {
    const DataSet data = made(name, 4, 2, settings);
    EXPECT_GE(data.splits[0].samples[0].graph.node_count(), 300) << name;
  }
}

TEST(Diameter, WitnessIsAsLongAsTheDiameter) {
  const DataSet data = made("diameter", 400, 3, {{"threshold", "5"}});
  for (const Sample* sample : data.all()) {
    EXPECT_EQ(sample->witness.edges.size() >= 5 ? 1 : 0, sample->label);
    EXPECT_EQ(sample->witness.nodes.size(), sample->witness.edges.size() + 1);
  }
}

TEST(Planar, WitnessOfClassZeroOnly) {
  const DataSet data = made("planar", 400, 3);
  for (const Sample* sample : data.all()) {
    EXPECT_EQ(sample->witness.empty(), sample->label == 1);
    if (sample->label == 0) {
      EXPECT_GE(sample->witness.edges.size(), 9U);
    }
  }
}

/// The plane cut into triangles by nodes that are put into one of them, each in turn.
std::vector<Edge> triangulation(int nodes, RandomStream& random) {
  std::vector<std::array<int, 3>> faces = {{0, 1, 2}, {0, 1, 2}};
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}};
  for (int node = 3; node < nodes; ++node) {
    auto& face = faces[random.below(static_cast<std::uint32_t>(faces.size()))];
    const auto [a, b, c] = face;
    for (const int corner : face) edges.push_back({corner, node});
    face = {a, b, node};
    faces.push_back({a, c, node});
    faces.push_back({b, c, node});
  }
  return edges;
}

TEST(Planar, TriangulationsBearNoEdgeMore) {
  const auto task = make_task("planar");
  RandomStream random(8, Purpose::kTest);
  for (int i = 0; i < 200; ++i) {
    const int nodes = random.between(5, 30);
    std::vector<Edge> edges = triangulation(nodes, random);
    const Graph whole(nodes, edges);
    ASSERT_EQ(task->answer(whole)->label, 1);
    int u = 0;
    int v = 0;
    while (u == v || whole.has_edge(u, v)) {
      u = random.between(0, nodes - 1);
      v = random.between(0, nodes - 1);
    }
    edges.push_back({std::min(u, v), std::max(u, v)});
    const auto answer = task->answer(Graph(nodes, edges));
    ASSERT_EQ(answer->label, 0);
    ASSERT_GE(answer->witness.edges.size(), 9U);
  }
}

TEST(Planar, KnowsGraphsOfTheBooks) {
  const auto task = make_task("planar");
  const auto label_of = [&](int nodes, std::vector<Edge> edges) {
    return task->answer(Graph(nodes, std::move(edges)))->label;
  };
  std::vector<Edge> k5;
  std::vector<Edge> k33;
  std::vector<Edge> petersen;
  std::vector<Edge> cube;
  for (int u = 0; u < 5; ++u) {
    for (int v = u + 1; v < 5; ++v) k5.push_back({u, v});
    petersen.insert(petersen.end(), {{u, (u + 1) % 5}, {u, u + 5}, {u + 5, (u + 2) % 5 + 5}});
  }
  for (int u = 0; u < 3; ++u) {
    for (int v = 3; v < 6; ++v) k33.push_back({u, v});
  }
  for (int u = 0; u < 8; ++u) {
    for (const int bit : {1, 2, 4}) {
      if ((u & bit) == 0) cube.push_back({u, u | bit});
    }
  }
  EXPECT_EQ(label_of(5, k5), 0);
  EXPECT_EQ(label_of(6, k33), 0);
  EXPECT_EQ(label_of(10, petersen), 0);
  EXPECT_EQ(label_of(8, cube), 1);
  std::vector<Edge> grid;
  for (int place = 0; place < 36; ++place) {
    if (place % 6 < 5) grid.push_back({place, place + 1});
    if (place < 30) grid.push_back({place, place + 6});
  }
  EXPECT_EQ(label_of(36, grid), 1);
  // On the torus: opposite sides of the grid are joined.
  for (int i = 0; i < 6; ++i) grid.insert(grid.end(), {{i, i + 30}, {6 * i, 6 * i + 5}});
  EXPECT_EQ(label_of(36, grid), 0);
  k5.pop_back();
  k33.pop_back();
  EXPECT_EQ(label_of(5, k5), 1);
  EXPECT_EQ(label_of(6, k33), 1);
  EXPECT_EQ(label_of(3, {}), 1);
}

TEST(IsomorphicPair, HalvesAreEqualToWl) {
  const DataSet data = made("isomorphic-pair", 400, 3);
  for (const Sample* sample : data.all()) {
    // As many nodes of each colour in both halves: every colour is there an even number of times.
    WlColouring colouring({.rounds = 12, .use_edge_labels = false});
    const auto colours = colouring.learn(sample->graph);
    std::map<int, int> counts;
    for (const int colour : colours.back()) ++counts[colour];
    for (const auto& [colour, count] : counts) EXPECT_EQ(count % 2, 0) << sample->id;
  }
}

TEST(IsomorphicPair, OtherGraphsAreOfNoClass) {
  const auto task = make_task("isomorphic-pair");
  EXPECT_FALSE(task->answer(Graph(3, {{0, 1}, {1, 2}})));
  EXPECT_FALSE(task->answer(Graph(6, {{0, 1}, {1, 2}, {3, 4}})));
  EXPECT_FALSE(task->answer(Graph(8, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {4, 6}, {4, 7}})));
  EXPECT_EQ(task->answer(Graph(6, {{0, 2}, {2, 4}, {1, 3}, {3, 5}}))->label, 1);
  // Two hexagons' worth of 1-WL: the prism and K3,3.
  const std::vector<Edge> edges = {{0, 1}, {1, 2},  {0, 2},  {3, 4}, {4, 5},  {3, 5},
                                   {0, 3}, {1, 4},  {2, 5},  {6, 9}, {6, 10}, {6, 11},
                                   {7, 9}, {7, 10}, {7, 11}, {8, 9}, {8, 10}, {8, 11}};
  const auto answer = task->answer(Graph(12, edges));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->label, 0);
  EXPECT_EQ(answer->witness.nodes.size(), 4U);
}

TEST(Csl, HasFewGraphsAndSaysSo) {
  const DataSet data = made("csl", 400, 3, {{"min-nodes", "11"}, {"max-nodes", "14"}});
  std::set<std::string> forms;
  std::set<std::string> texts;
  for (const Sample* sample : data.all()) {
    for (const int degree : sample->graph.degrees()) ASSERT_EQ(degree, 4);
    forms.insert(canonical_form(sample->graph));
    texts.insert(encode_graph6(sample->graph));
  }
  EXPECT_EQ(forms.size(), 8U);
  EXPECT_GT(texts.size(), 390U);  // other numbers every time
  EXPECT_TRUE(data.provenance.contains("few_graphs"));
  EXPECT_FALSE(made("diameter", 2, 3).provenance.contains("few_graphs"));
}

TEST(Csl, SizesAtWhichBothSkipsMakeOneGraphAreLeftOut) {
  // On a ring of 7, three times a step of 2 is a step of 1 back, so 2 and 3 are the same.
  try {
    made("csl", 2, 3, {{"min-nodes", "7"}, {"max-nodes", "7"}});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "rings of 7 to 7 nodes are the same graph with skips of 2 and 3");
  }
  const DataSet others = made("csl", 100, 3, {{"min-nodes", "7"}, {"max-nodes", "9"}});
  for (const Sample* sample : others.all()) {
    EXPECT_NE(sample->graph.node_count(), 7);
  }
}

TEST(BorderTasks, RefuseBadSettings) {
  for (const char* name : {"planar", "diameter", "isomorphic-pair", "csl"}) {
    EXPECT_THROW(made(name, 2, 1, {{"min-nodes", "60"}}), UsageError) << name;
  }
  for (const char* name : {"planar", "diameter", "isomorphic-pair"}) {
    EXPECT_THROW(made(name, 2, 1, {{"min-degree", "5"}, {"max-degree", "4.5"}}), UsageError);
  }
  EXPECT_THROW(made("diameter", 2, 1, {{"threshold", "12"}}), UsageError);
  EXPECT_THROW(made("planar", 2, 1, {{"max-degree", "5.2"}}), UsageError);
  EXPECT_THROW(made("isomorphic-pair", 2, 1, {{"min-nodes", "33"}, {"max-nodes", "35"}}),
               UsageError);  // 17 is prime
  EXPECT_THROW(made("csl", 2, 1, {{"skip-1", "2"}}), UsageError);
  EXPECT_THROW(made("csl", 2, 1, {{"skip-1", "5"}}), UsageError);
}

}  // namespace
}  // namespace bermuda
