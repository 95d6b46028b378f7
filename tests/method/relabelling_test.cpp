#include "bermuda/method/relabelling.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace bermuda {
namespace {

class Asked : public Method {
 public:
  explicit Asked(std::function<int(const Graph&)> answer) : answer_(std::move(answer)) {}
  std::string_view name() const override { return "asked"; }
  ParameterSet parameters() override { return {}; }
  FitReport fit(const FitTask&, const Execution&) override { return {}; }
  std::vector<Prediction> predict(Samples samples, const Execution&) const override {
    std::vector<Prediction> predictions;
    for (const Sample* sample : samples) predictions.push_back({answer_(sample->graph), {}});
    return predictions;
  }
  void save(ByteWriter&) const override {}
  void load(ByteReader&) override {}

 private:
  std::function<int(const Graph&)> answer_;
};

// Stars with labels: the centre is node 0 and is labelled 1.
const std::vector<Sample>& stars() {
  static const std::vector<Sample> made = [] {
    std::vector<Sample> samples(300);
    for (Sample& sample : samples) {
      sample.graph = Graph(4, {{0, 1}, {0, 2}, {0, 3}}, {1, 0, 0, 0}, {5, 6, 7});
    }
    return samples;
  }();
  return made;
}

RelabellingReport report_of(const Asked& method, int rounds, std::uint64_t seed) {
  std::vector<const Sample*> samples;
  for (const Sample& sample : stars()) samples.push_back(&sample);
  const auto answers = method.predict(samples, {});
  return relabelling(method, samples, answers, rounds, seed, {});
}

TEST(Relabelling, AFunctionOfTheGraphNeverChanges) {
  const Asked method([](const Graph& graph) {
    const std::vector<int> degrees = graph.degrees();
    const auto centre = std::find(degrees.begin(), degrees.end(), 3) - degrees.begin();
    std::vector<int> labels = graph.edge_labels();
    std::sort(labels.begin(), labels.end());
    const bool whole = graph.node_count() == 4 && labels == std::vector{5, 6, 7};
    return whole && graph.node_labels()[static_cast<std::size_t>(centre)] == 1 ? 1 : 0;
  });
  const RelabellingReport report = report_of(method, 3, 1);
  EXPECT_EQ(report.rounds, 3);
  EXPECT_EQ(report.mean_share(), 0);
  EXPECT_EQ(report.any_share(), 0);
  EXPECT_EQ(report.stable(0), 1);
}

TEST(Relabelling, NodeZeroIsTheCentreOnceInFour) {
  const Asked method([](const Graph& graph) { return graph.degrees()[0] == 3 ? 1 : 0; });
  const RelabellingReport one = report_of(method, 1, 1);
  EXPECT_NEAR(one.mean_share(), 0.75, 0.08);
  EXPECT_EQ(one.mean_share(), one.any_share());
  const RelabellingReport many = report_of(method, 4, 1);
  EXPECT_NEAR(many.mean_share(), 0.75, 0.04);
  EXPECT_NEAR(many.any_share(), 1 - 1.0 / 256, 0.02);
  double stable = 0;
  for (std::size_t i = 0; i < many.changes.size(); ++i) stable += many.stable(i);
  EXPECT_NEAR(stable / static_cast<double>(many.changes.size()), 1 - many.mean_share(), 1e-12);
}

TEST(Relabelling, FollowsFromSeedGraphAndRound) {
  const Asked method([](const Graph& graph) { return graph.degrees()[0] == 3 ? 1 : 0; });
  EXPECT_EQ(report_of(method, 1, 1).changes, report_of(method, 1, 1).changes);
  EXPECT_NE(report_of(method, 1, 1).changes, report_of(method, 1, 2).changes);
  // The first round of many is the only round of one.
  const std::vector<int> one = report_of(method, 1, 1).changes;
  const std::vector<int> two = report_of(method, 2, 1).changes;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_GE(two[i], one[i]);
    EXPECT_LE(two[i], one[i] + 1);
  }
  EXPECT_EQ(report_of(method, 0, 1).mean_share(), 0);
}

}  // namespace
}  // namespace bermuda
