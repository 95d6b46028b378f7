#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bermuda/generate/task.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "bermuda/kernel/feature_map.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/linear/kernel_svm.hpp"
#include "graphlet_sampling.hpp"

namespace bermuda {
namespace {

// Random graphs with node and edge labels, many of them alike.
DataSet labelled_graphs(std::size_t count, bool labels) {
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits.push_back({"all", {}});
  for (std::size_t g = 0; g < count; ++g) {
    RandomStream random(11, Purpose::kTest, g);
    const int nodes = random.between(1, 9);
    std::vector<Edge> edges;
    std::vector<int> node_labels;
    std::vector<int> edge_labels;
    for (int u = 0; u < nodes; ++u) {
      if (labels) node_labels.push_back(random.between(-1, 1));
      for (int v = u + 1; v < nodes; ++v) {
        if (random.uniform() > 0.3) continue;
        edges.push_back({u, v});
        if (labels) edge_labels.push_back(random.between(0, 1));
      }
    }
    Sample sample;
    sample.id = std::to_string(g);
    sample.label = static_cast<int>(g % 2);
    sample.graph = Graph(nodes, edges, node_labels, edge_labels);
    data.splits[0].samples.push_back(std::move(sample));
  }
  return data;
}

// Colours as nested text, counted over all rounds: the definition, slowly.
std::map<std::string, double> slow_wl(const Graph& graph, int rounds, bool edge_labels) {
  std::map<std::string, double> counts;
  std::vector<std::string> colours;
  for (int v = 0; v < graph.node_count(); ++v) {
    colours.push_back(graph.has_node_labels()
                          ? std::to_string(graph.node_labels()[static_cast<std::size_t>(v)])
                          : "x");
  }
  for (int round = 0;; ++round) {
    for (const std::string& colour : colours) counts[std::to_string(round) + ":" + colour] += 1;
    if (round == rounds) return counts;
    std::vector<std::vector<std::string>> around(colours.size());
    for (std::size_t e = 0; e < graph.edges().size(); ++e) {
      const auto u = static_cast<std::size_t>(graph.edges()[e].u);
      const auto v = static_cast<std::size_t>(graph.edges()[e].v);
      const std::string label = edge_labels && graph.has_edge_labels()
                                    ? std::to_string(graph.edge_labels()[e]) + "/"
                                    : std::string();
      around[u].push_back(label + colours[v]);
      around[v].push_back(label + colours[u]);
    }
    std::vector<std::string> next;
    for (std::size_t v = 0; v < colours.size(); ++v) {
      std::sort(around[v].begin(), around[v].end());
      std::string text = "(" + colours[v] + "|";
      for (const std::string& neighbour : around[v]) text += neighbour + ",";
      next.push_back(text + ")");
    }
    colours = next;
  }
}

double slow_dot(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other != b.end()) sum += value * other->second;
  }
  return sum;
}

TEST(WlFeatures, KernelEqualsTheSlowDefinition) {
  for (const bool labels : {false, true}) {
    for (const bool edge_labels : {false, true}) {
      const DataSet data = labelled_graphs(40, labels);
      const auto samples = data.all();
      const auto map = make_wl_features({1, 4, edge_labels});
      const auto levels = map->fit(samples, {});
      ASSERT_EQ(levels.size(), 4U);
      for (int level = 0; level < 4; ++level) {
        const FeatureRows& rows = levels[static_cast<std::size_t>(level)];
        const auto kernel = gram_matrix(rows, rows);
        for (std::size_t i = 0; i < samples.size(); ++i) {
          const auto a = slow_wl(samples[i]->graph, level + 1, edge_labels);
          EXPECT_NEAR(rows.norms[i], std::sqrt(slow_dot(a, a)), 1e-9);
          for (std::size_t j = 0; j < samples.size(); ++j) {
            const auto b = slow_wl(samples[j]->graph, level + 1, edge_labels);
            ASSERT_DOUBLE_EQ(kernel[i * samples.size() + j], slow_dot(a, b)) << i << " " << j;
          }
        }
      }
    }
  }
}

TEST(WlFeatures, FitOnASubsetGivesTheFeaturesOfAllRestricted) {
  const DataSet data = labelled_graphs(60, true);
  const auto all = data.all();
  const std::vector<const Sample*> seen(all.begin(), all.begin() + 20);
  const std::vector<const Sample*> rest(all.begin() + 20, all.end());
  const auto whole = make_wl_features({3, 3, false});
  const FeatureRows whole_rows = whole->fit(all, {}).front();
  const auto part = make_wl_features({3, 3, false});
  const FeatureRows seen_rows = part->fit(seen, {}).front();
  Execution two;
  two.threads = 2;
  const FeatureRows rest_rows = part->transform(rest, 0, two);
  const auto expected = gram_matrix(whole_rows, whole_rows);
  const auto found = gram_matrix(rest_rows, seen_rows);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_DOUBLE_EQ(rest_rows.norms[i], whole_rows.norms[i + 20]) << "unseen colours count";
    for (std::size_t j = 0; j < seen.size(); ++j) {
      EXPECT_DOUBLE_EQ(found[i * seen.size() + j], expected[(i + 20) * all.size() + j]);
    }
  }
}

// Cholesky of kernel + a little: succeeds exactly when there is no clearly negative eigenvalue.
bool is_positive_semidefinite(std::vector<double> kernel, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) kernel[i * n + i] += 1e-7;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = kernel[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= kernel[i * n + k] * kernel[j * n + k];
      if (i == j) {
        if (sum <= 0) return false;
        kernel[j * n + j] = std::sqrt(sum);
      } else {
        kernel[i * n + j] = sum / kernel[j * n + j];
      }
    }
  }
  return true;
}

TEST(Kernels, AreSymmetricPositiveSemidefiniteWithUnitDiagonal) {
  const DataSet data = labelled_graphs(50, true);
  const auto samples = data.all();
  std::vector<std::unique_ptr<FeatureMap>> maps;
  maps.push_back(make_wl_features({2, 2, true}));
  maps.push_back(make_graphlet_features({.size = 5}));
  maps.push_back(make_graphlet_features({.size = 4, .samples = 50}));
  maps.push_back(make_label_features());
  for (const auto& map : maps) {
    FeatureRows rows = map->fit(samples, {}).front();
    normalise(rows);
    const auto kernel = gram_matrix(rows, rows);
    const std::size_t n = samples.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (!rows.row(i).empty()) {
        EXPECT_NEAR(kernel[i * n + i], 1.0, 1e-12);
      }
      for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(kernel[i * n + j], kernel[j * n + i]);
    }
    EXPECT_TRUE(is_positive_semidefinite(kernel, n));
  }
}

// Shares of the classes among all sets of `size` nodes, by brute force.
std::vector<double> shares_of_all_sets(const Graph& graph, int size) {
  const GraphletClasses& classes = GraphletClasses::of_size(size);
  std::vector<double> counts(static_cast<std::size_t>(classes.class_count()), 0);
  double sets = 0;
  for (unsigned chosen = 0; chosen < 1U << graph.node_count(); ++chosen) {
    std::vector<int> nodes;
    for (int v = 0; v < graph.node_count(); ++v) {
      if ((chosen >> v & 1U) != 0) nodes.push_back(v);
    }
    if (static_cast<int>(nodes.size()) != size) continue;
    std::uint32_t pattern = 0;
    unsigned bit = 0;
    for (std::size_t j = 1; j < nodes.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        pattern |= (graph.has_edge(nodes[i], nodes[j]) ? 1U : 0U) << bit++;
      }
    }
    counts[static_cast<std::size_t>(classes.class_of(pattern))] += 1;
    sets += 1;
  }
  for (double& count : counts) count /= sets;
  return counts;
}

Graph eight_nodes() {
  return Graph(8, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {4, 7}});
}

TEST(GraphletSampling, SharesComeCloseToThoseOfAllSubsets) {
  constexpr int kSamples = 40000;
  const Graph graph = eight_nodes();
  for (const int size : {3, 4, 5}) {
    const auto counts =
        sample_graphlets(graph, {size, size}, kSamples, false, RandomStream(1, Purpose::kTest));
    const std::vector<double> shares = shares_of_all_sets(graph, size);
    for (std::size_t c = 0; c < shares.size(); ++c) {
      EXPECT_NEAR(static_cast<double>(counts[static_cast<std::size_t>(size)][c]) / kSamples,
                  shares[c], 0.012)
          << c;
    }
  }
}

TEST(GraphletSampling, MixedSizesAreEquallyLikelyAndSoAreTheirSets) {
  constexpr int kSamples = 90000;
  const Graph graph = eight_nodes();
  const auto counts =
      sample_graphlets(graph, {3, 5}, kSamples, false, RandomStream(1, Purpose::kTest));
  std::uint64_t total = 0;
  for (std::size_t size = 0; size < counts.size(); ++size) {
    if (size < 3) {
      EXPECT_TRUE(counts[size].empty());
      continue;
    }
    const std::vector<double> shares = shares_of_all_sets(graph, static_cast<int>(size));
    ASSERT_EQ(counts[size].size(), shares.size());
    for (std::size_t c = 0; c < shares.size(); ++c) {
      EXPECT_NEAR(static_cast<double>(counts[size][c]) / kSamples, shares[c] / 3, 0.006) << c;
      total += counts[size][c];
    }
  }
  EXPECT_EQ(total, std::uint64_t{kSamples});
  // There are no sets of four nodes among three.
  const auto small =
      sample_graphlets(Graph(3, {{0, 1}}), {3, 5}, 10, false, RandomStream(1, Purpose::kTest));
  EXPECT_EQ(small[3], (std::vector<std::uint64_t>{0, 10, 0, 0}));
  EXPECT_TRUE(small[4].empty());
}

TEST(GraphletFeatures, RawCountsAddUpToTheSamples) {
  const DataSet data = labelled_graphs(30, false);
  const auto samples = data.all();
  GraphletFeatureOptions options = {.size = 5, .samples = 100, .mixed_sizes = true};
  options.raw_counts = true;
  options.raw_length = true;
  const auto raw = make_graphlet_features(options);
  options.raw_counts = false;
  const auto logarithms = make_graphlet_features(options);
  EXPECT_FALSE(raw->normalised());
  EXPECT_TRUE(make_graphlet_features({})->normalised());
  const FeatureRows counts = raw->fit(samples, {}).front();
  const FeatureRows logs = logarithms->fit(samples, {}).front();
  ASSERT_EQ(counts.entries.size(), logs.entries.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double total = 0;
    for (const auto& entry : counts.row(i)) total += entry.value;
    EXPECT_EQ(total, 100) << i;
  }
  for (std::size_t e = 0; e < counts.entries.size(); ++e) {
    EXPECT_EQ(logs.entries[e].column, counts.entries[e].column);
    EXPECT_DOUBLE_EQ(logs.entries[e].value, std::log1p(counts.entries[e].value));
  }
}

// GraKeL's way: LIBSVM with C = 1 on the sum over rounds 0..5 of plain colour counts.
TEST(SvmWl, WithoutNormalisationIsTheMachineOnTheSlowKernel) {
  const DataSet data = labelled_graphs(60, true);
  const auto samples = data.all();
  std::map<std::string, int> columns;
  SparseMatrix rows;
  for (const Sample* sample : samples) {
    for (const auto& [colour, count] : slow_wl(sample->graph, 5, false)) {
      columns.emplace(colour, 0);
    }
  }
  for (auto& [colour, column] : columns) column = rows.columns++;
  for (const Sample* sample : samples) {
    for (const auto& [colour, count] : slow_wl(sample->graph, 5, false)) {
      rows.entries.push_back({columns.at(colour), count});
    }
    rows.offsets.push_back(rows.entries.size());
  }
  const LinearModel expected = KernelSvmTrainer(rows, labels_of(samples), 2).train(1, false);
  MethodRegistry registry;
  register_kernel_methods(registry);
  const auto method = registry.get("svm-wl").make();
  for (const auto& [name, value] : std::map<std::string, std::string>{{"no-normalise", "on"},
                                                                      {"min-rounds", "5"},
                                                                      {"max-rounds", "5"},
                                                                      {"costs", "1"},
                                                                      {"solver", "kernel"},
                                                                      {"no-class-weights", "on"}}) {
    method->parameters().get(name).set(value);
  }
  method->fit({samples, {}, 2, 1}, {});
  const auto said = method->predict(samples, {});
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<double> scores = expected.scores(rows.row(i));
    for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(said[i].scores[c], scores[c], 0.02) << i;
  }
}

TEST(GraphletSampling, ConnectedDrawsOnlyConnectedOnes) {
  const Graph graph(9, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {6, 7}});  // node 8 alone
  const GraphletClasses& classes = GraphletClasses::of_size(4);
  const auto counts =
      sample_graphlets(graph, {4, 4}, 500, true, RandomStream(1, Purpose::kTest))[4];
  std::uint64_t total = 0;
  for (int c = 0; c < classes.class_count(); ++c) {
    if (!classes.is_connected(c)) {
      EXPECT_EQ(counts[static_cast<std::size_t>(c)], 0U);
    }
    total += counts[static_cast<std::size_t>(c)];
  }
  EXPECT_GT(total, 100U);
  EXPECT_LT(total, 500U);
}

TEST(GraphletSampling, SmallAndEmptyGraphs) {
  const auto none = sample_graphlets(Graph(), {5, 5}, 10, false, RandomStream(1, Purpose::kTest));
  for (const auto& counts : none) EXPECT_TRUE(counts.empty());
  const auto pair =
      sample_graphlets(Graph(2, {{0, 1}}), {5, 5}, 10, false, RandomStream(1, Purpose::kTest));
  EXPECT_EQ(pair[2], (std::vector<std::uint64_t>{0, 10}));
}

}  // namespace
}  // namespace bermuda
