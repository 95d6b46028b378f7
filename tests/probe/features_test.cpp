#include "bermuda/probe/features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "bermuda/generate/generate.hpp"
#include "collect.hpp"

namespace bermuda {
namespace {

std::vector<const Sample*> pointers(const std::vector<Sample>& samples) {
  std::vector<const Sample*> result;
  for (const Sample& sample : samples) result.push_back(&sample);
  return result;
}

Sample sample_of(Graph graph) {
  Sample sample;
  sample.graph = std::move(graph);
  return sample;
}

// The templates spelled out as text, the slow way.
std::set<std::string> slow_features(const Graph& graph) {
  const std::vector<int> degrees = graph.degrees();
  std::map<std::string, int> counts;
  for (const int degree : degrees) ++counts["d" + std::to_string(degree)];
  for (const Edge& edge : graph.edges()) {
    const int a = degrees[static_cast<std::size_t>(edge.u)];
    const int b = degrees[static_cast<std::size_t>(edge.v)];
    ++counts["p" + std::to_string(std::min(a, b)) + "," + std::to_string(std::max(a, b))];
  }
  std::set<std::string> features = {"n" + std::to_string(graph.node_count()),
                                    "e" + std::to_string(graph.edge_count())};
  for (const auto& [name, count] : counts) {
    features.insert(name);
    features.insert(name + "x" + std::to_string(count));
  }
  return features;
}

TEST(UndermannedFeatures, OfAPathByHand) {
  // Path of three nodes: degrees 1, 2, 1; both edges join degrees 1 and 2.
  const std::vector<Sample> samples = {sample_of(Graph(3, {{0, 1}, {1, 2}}))};
  const PresenceRows matrix = undermanned_features(pointers(samples), {});
  // d1, d1x2, d2, d2x1, p12, p12x2, n3, e2
  EXPECT_EQ(matrix.columns, 8U);
  ASSERT_EQ(matrix.rows(), 1U);
  EXPECT_EQ(matrix.row(0).size(), 8U);
}

// Small degrees are counted in a table, large ones are sorted: stars and wheels of up to 70 nodes
// stand on both sides, and so do graphs without an edge.
void add_stars_and_wheels(DataSet& data) {
  for (int nodes = 0; nodes <= 70; ++nodes) {
    std::vector<Edge> edges;
    for (int v = 1; v < nodes; ++v) edges.push_back({0, v});
    data.splits[0].samples.push_back(sample_of(Graph(nodes, edges)));
    for (int v = 2; v < nodes; ++v) edges.push_back({v - 1, v});
    data.splits[0].samples.push_back(sample_of(Graph(nodes, edges)));
    data.splits[0].samples.push_back(sample_of(Graph(nodes, {})));
  }
}

TEST(UndermannedFeatures, EqualTheSlowOnesUpToNumbering) {
  const auto task = make_task("clique-distance");
  DataSet data = generate_candidates(*task, 5, 5000, {});
  add_stars_and_wheels(data);
  Execution two;
  two.threads = 2;
  const auto samples = data.all();
  const PresenceRows matrix = undermanned_features(samples, two);
  std::set<std::string> names;
  // A column belongs to one name: intersect the names of the rows it stands in.
  std::map<std::uint32_t, std::set<std::string>> candidates;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::set<std::string> slow = slow_features(samples[i]->graph);
    names.insert(slow.begin(), slow.end());
    ASSERT_EQ(matrix.row(i).size(), slow.size());
    ASSERT_EQ(std::ranges::adjacent_find(matrix.row(i), std::ranges::greater_equal()),
              matrix.row(i).end())
        << "columns of a row ascend";
    for (const std::uint32_t column : matrix.row(i)) {
      auto [place, fresh] = candidates.try_emplace(column, slow);
      if (fresh) continue;
      std::erase_if(place->second, [&](const std::string& name) { return !slow.contains(name); });
    }
  }
  EXPECT_EQ(matrix.columns, names.size());
  for (const auto& [column, left] : candidates) EXPECT_GE(left.size(), 1U) << column;
}

TEST(MergedFeatures, AreTheFeaturesMerged) {
  const auto task = make_task("triangles");
  const auto source = candidate_source(*task, 5, 20000);
  const DataSet data = generate_candidates(*task, 5, 20000, {});
  const auto samples = data.all();
  const PresenceRows plain = undermanned_features(samples, {});
  const DistinctRows merged = merge_equal_rows(plain);
  ASSERT_LT(merged.rows.rows(), plain.rows());
  for (const int threads : {1, 3}) {
    Execution execution;
    execution.threads = threads;
    const MergedFeatures features = collect_features(source.get(), execution);
    EXPECT_EQ(features.rows, merged.rows);
    EXPECT_EQ(features.row_of, merged.row_of);
    EXPECT_TRUE(std::ranges::equal(features.labels, labels_of(samples)));
    EXPECT_TRUE(std::ranges::is_sorted(features.keys));
  }
}

TEST(MergedFeatures, ComeInAnyPartsAndAsBytes) {
  const auto task = make_task("clique-distance");
  const DataSet data = generate_candidates(*task, 5, 3000, {});
  const auto samples = data.all();
  FeatureTable whole;
  for (const Sample* sample : samples) whole.add(sample->graph, sample->label);
  const MergedFeatures expected = whole.finish();
  for (const std::size_t size : {1U, 17U, 1000U}) {
    FeatureTable sum;
    for (std::size_t begin = 0; begin < samples.size(); begin += size) {
      FeatureTable part;
      for (std::size_t i = begin; i < std::min(begin + size, samples.size()); ++i) {
        part.add(samples[i]->graph, samples[i]->label);
      }
      sum.add(MergedFeatures::from_bytes(part.take().to_bytes()));
    }
    EXPECT_EQ(sum.finish(), expected) << size;
  }
}

TEST(UndermannedFeatures, DoNotDependOnThreads) {
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 5, 10000, {});
  Execution two;
  two.threads = 2;
  const auto samples = data.all();
  const PresenceRows a = undermanned_features(samples, {});
  const PresenceRows b = undermanned_features(samples, two);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace bermuda
