#include "bermuda/method/told_apart.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "bermuda/core/random.hpp"
#include "bermuda/method/views.hpp"
#include "known_pairs.hpp"

namespace bermuda {
namespace {

using test::hexagon;
using test::KnownPairs;
using test::two_triangles;

class Shown : public Method {
 public:
  using Show = std::function<std::optional<Views>(const ViewRequest&)>;
  explicit Shown(Show show) : show_(std::move(show)) {}
  std::string_view name() const override { return "shown"; }
  ParameterSet parameters() override { return {}; }
  FitReport fit(const FitTask&, const Execution&) override { return {}; }
  std::vector<Prediction> predict(Samples, const Execution&) const override { return {}; }
  void save(ByteWriter&) const override {}
  void load(ByteReader&) override {}
  std::optional<Views> views(const ViewRequest& request, const Execution&) override {
    return show_(request);
  }

 private:
  Show show_;
};

/// One number per graph.
Shown showing(const std::function<double(const Graph&)>& number, double tolerance = 0) {
  return Shown([=](const ViewRequest& request) {
    Views views;
    views.how = "a number";
    views.tolerance = tolerance;
    for (const Sample* sample : request.samples) views.rows.push_back({{0, number(sample->graph)}});
    return views;
  });
}

/// One number per graph and draw.
Shown drawing(const std::function<double(const Graph&)>& number) {
  return Shown([=](const ViewRequest& request) {
    Views views;
    views.how = "draws";
    views.columns = 1;
    views.draws.resize(request.samples.size());
    for (int draw = 0; draw < request.draws; ++draw) {
      const RenumberedSamples numbered(request, static_cast<std::uint32_t>(draw), {});
      for (std::size_t i = 0; i < numbered.all().size(); ++i) {
        views.draws[i].push_back(number(numbered.all()[i]->graph));
      }
    }
    return views;
  });
}

bool joined(const Graph& graph, int u, int v) {
  return std::ranges::find(graph.edges(), Edge{u, v}) != graph.edges().end();
}

double edges_of(const Graph& graph) { return graph.edge_count(); }

/// Whether the first three nodes are a triangle: what it says hangs on the numbering.
double begins_with_triangle(const Graph& graph) {
  return joined(graph, 0, 1) && joined(graph, 0, 2) && joined(graph, 1, 2) ? 1 : 0;
}

std::size_t count(const std::vector<Telling>& all, Telling what) {
  return static_cast<std::size_t>(std::ranges::count(all, what));
}

TEST(ToldApart, RowsAreEqualOrNot) {
  const KnownPairs known({{two_triangles(), hexagon()}, {Graph(3, {{0, 1}}), Graph(3, {})}});
  Shown method = showing(edges_of);
  const auto found = told_apart(method, known.pairs(), {}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs, (std::vector{Telling::kSame, Telling::kDifferent}));
  EXPECT_EQ(found->control, (std::vector{Telling::kSame, Telling::kSame}));
  EXPECT_EQ(found->how, "a number");
  EXPECT_EQ(found->smallest_difference, 1);
}

TEST(ToldApart, TheToleranceIsRelative) {
  const KnownPairs known({{Graph(1000, {}), Graph(999, {})}, {Graph(3, {}), Graph(2, {})}});
  Shown method = showing([](const Graph& graph) { return graph.node_count(); }, 0.01);
  const auto found = told_apart(method, known.pairs(), {}, {});
  EXPECT_EQ(found->pairs, (std::vector{Telling::kSame, Telling::kDifferent}));
  EXPECT_NEAR(found->largest_none, 0.001, 1e-9);
  EXPECT_NEAR(*found->smallest_difference, 1.0 / 3, 1e-9);
}

TEST(ToldApart, BlocksHaveTheirOwnScale) {
  const std::vector<Views::Entry> one = {{0, 1e6}, {2, 1}};
  const std::vector<Views::Entry> other = {{0, 1e6}, {3, 1}};
  EXPECT_EQ(view_difference(one, other, 2), 1);
  EXPECT_EQ(view_difference(one, other, 0), 1e-6);
  EXPECT_EQ(view_difference(one, one, 2), 0);
  EXPECT_EQ(view_difference({}, one, 2), 1);
}

TEST(ToldApart, WhatHangsOnTheNumberingIsFoundOutByTheControl) {
  std::vector<std::pair<Graph, Graph>> graphs(40, {two_triangles(), hexagon()});
  const KnownPairs known(graphs);
  Shown method = showing(begins_with_triangle);
  EXPECT_GT(count(told_apart(method, known.pairs(), {}, {})->control, Telling::kDifferent), 0U);
}

TEST(ToldApart, DrawsAreComparedByTheirDistribution) {
  std::vector<std::pair<Graph, Graph>> graphs(50, {two_triangles(), hexagon()});
  graphs.resize(100, {hexagon(), hexagon()});
  const KnownPairs known(graphs);
  Shown method = drawing(begins_with_triangle);  // in a tenth of all numberings, or never
  const auto found = told_apart(method, known.pairs(), {.draws = 512}, {.threads = 2});
  EXPECT_EQ(count({found->pairs.begin(), found->pairs.begin() + 50}, Telling::kDifferent), 50U);
  EXPECT_EQ(count(found->pairs, Telling::kDifferent), 50U);
  EXPECT_EQ(count(found->control, Telling::kDifferent), 0U);
}

TEST(ToldApart, LargeGraphsAreNotAsked) {
  const KnownPairs known({{two_triangles(), Graph(7, {})}, {two_triangles(), Graph(6, {})}});
  Shown method = showing(edges_of);
  const auto found = told_apart(method, known.pairs(), {.most_nodes = 6}, {});
  EXPECT_EQ(found->pairs, (std::vector{Telling::kNotAsked, Telling::kDifferent}));
  EXPECT_EQ(found->control, (std::vector{Telling::kNotAsked, Telling::kSame}));
}

TEST(ToldApart, MethodsThatShowNothingAreNotJudged) {
  const KnownPairs known({{two_triangles(), hexagon()}});
  Shown method([](const ViewRequest&) { return std::nullopt; });
  EXPECT_FALSE(told_apart(method, known.pairs(), {}, {}));
  EXPECT_FALSE(seen_classes(method, known.data().all(), {}, {}));
  Shown drawn = drawing(begins_with_triangle);
  EXPECT_FALSE(seen_classes(drawn, known.data().all(), {}, {}));
}

TEST(SeenClasses, IsTheBestThatAFunctionOfTheViewCanDo) {
  std::vector<Sample> samples(60);
  std::vector<const Sample*> all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const int nodes = static_cast<int>(i % 6) + 1;  // 10 graphs each of 1 to 6 nodes
    samples[i].graph = Graph(nodes, {});
    // 1 to 4 nodes: class 0; 5: class 1; 6: seven of class 0, three of class 1.
    samples[i].label = nodes == 5 || (nodes == 6 && i / 6 >= 7) ? 1 : 0;
    all.push_back(&samples[i]);
  }
  // Rounding that is not to be seen.
  RandomStream random(1, Purpose::kTest);
  Shown method = showing(
      [&](const Graph& graph) { return graph.node_count() * (1 + 1e-14 * random.uniform()); },
      1e-8);
  const auto found = seen_classes(method, all, {}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->graphs, 60U);
  EXPECT_EQ(found->views, 6U);
  EXPECT_EQ(found->apart, 50U);
  EXPECT_EQ(found->right, 57U);
  EXPECT_DOUBLE_EQ(found->best_accuracy(), 0.95);
  const auto small = seen_classes(method, all, {.most_nodes = 5}, {});
  EXPECT_EQ(small->not_asked, 10U);
  EXPECT_EQ(small->best_accuracy(), 1);
}

}  // namespace
}  // namespace bermuda
