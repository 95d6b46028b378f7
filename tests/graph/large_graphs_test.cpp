// Graphs that are small files and were hours of work: what is cheap now, what is refused, and that
// all of it can be stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "bermuda/core/random.hpp"
#include "bermuda/graph/canonical.hpp"
#include "bermuda/graph/drawing.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "bermuda/graph/renumber.hpp"
#include "bermuda/graph/wl.hpp"
#include "canonical_order.hpp"
#include "ring_layout.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;

Graph star(int nodes) {
  std::vector<Edge> edges;
  for (int leaf = 1; leaf < nodes; ++leaf) edges.push_back({0, leaf});
  return Graph(nodes, std::move(edges));
}

Graph path(int nodes) {
  std::vector<Edge> edges;
  for (int v = 0; v + 1 < nodes; ++v) edges.push_back({v, v + 1});
  return Graph(nodes, std::move(edges));
}

/// So many cycles of this length beside each other.
Graph cycles(int count, int length) {
  std::vector<Edge> edges;
  for (int c = 0; c < count; ++c) {
    for (int i = 0; i < length; ++i) {
      edges.push_back({c * length + i, c * length + (i + 1) % length});
    }
  }
  return Graph(count * length, std::move(edges));
}

Graph shuffled(const Graph& graph) {
  std::vector<int> number(static_cast<std::size_t>(graph.node_count()));
  std::iota(number.begin(), number.end(), 0);
  RandomStream(7, Purpose::kTest).shuffle(std::span(number));
  return renumbered(graph, number);
}

TEST(LargeGraphs, CanonicalFormsOfSymmetricOnesAreCheap) {
  for (const Graph& graph : {star(20'000), Graph(50'000, {}), cycles(3000, 5), cycles(40, 70)}) {
    EXPECT_EQ(canonical_form(graph), canonical_form(shuffled(graph)));
  }
  EXPECT_NE(canonical_form(star(20'000)), canonical_form(star(19'999)));
  EXPECT_NE(canonical_form(cycles(42, 5)), canonical_form(cycles(30, 7)));
  EXPECT_NE(canonical_form(cycles(2, 35)), canonical_form(cycles(1, 70)));
}

TEST(LargeGraphs, TwinsCountByNumberAndLabel) {
  // Two hubs that are joined, with leaves of two labels.
  const auto hubs = [](int left, int right, int label) {
    std::vector<Edge> edges{{0, 1}};
    std::vector<int> labels(static_cast<std::size_t>(left + right + 2), 0);
    for (int leaf = 0; leaf < left; ++leaf) edges.push_back({0, 2 + leaf});
    for (int leaf = 0; leaf < right; ++leaf) edges.push_back({1, 2 + left + leaf});
    for (int leaf = 0; leaf < left; leaf += 2) labels[static_cast<std::size_t>(2 + leaf)] = label;
    return Graph(left + right + 2, std::move(edges), std::move(labels));
  };
  EXPECT_EQ(canonical_form(hubs(60, 40, 1)), canonical_form(shuffled(hubs(60, 40, 1))));
  EXPECT_NE(canonical_form(hubs(60, 40, 1)), canonical_form(hubs(59, 41, 1)));
  EXPECT_NE(canonical_form(hubs(60, 40, 1)), canonical_form(hubs(60, 40, 2)));
}

TEST(LargeGraphs, EdgeLabelsOfTwinsTellThemApart) {
  const auto labelled = [](int marked) {
    std::vector<int> labels(199, 0);
    std::fill_n(labels.begin(), marked, 5);
    return Graph(200, star(200).edges(), {}, std::move(labels));
  };
  EXPECT_EQ(canonical_form(labelled(50)), canonical_form(shuffled(labelled(50))));
  EXPECT_NE(canonical_form(labelled(50)), canonical_form(labelled(51)));
}

TEST(LargeGraphs, ALargeConnectedPartIsOrderedInAProcessOfItsOwn) {
  const Graph graph = path(12'000);
  EXPECT_EQ(canonical_form(graph), canonical_form(shuffled(graph)));
}

TEST(LargeGraphs, TheSearchIsGivenUpAndSaysSo) {
  const Graph graph = cycles(20, 5);
  const ColouredGraph input{graph.node_count(), graph.edges(), {}};
  EXPECT_NO_THROW(bliss_canonical_order(input));
  try {
    bliss_canonical_order(input, {}, 10);
    FAIL();
  } catch (const CanonicalFormError& error) {
    EXPECT_THAT(error.what(), HasSubstr("given up after 10 steps"));
  }
}

TEST(LargeGraphs, RingsHoldEveryNodeOnce) {
  const std::vector<RingPlace> places = ring_layout(star(1500));
  EXPECT_DOUBLE_EQ(places[0].x, 0);
  EXPECT_GT(std::abs(places[1].x) + std::abs(places[1].y), 1000);
  EXPECT_EQ(ring_layout(Graph(3, {})).size(), 3u);
}

TEST(LargeGraphs, LayoutIsLimitedAndSaysSo) {
  EXPECT_EQ(layout_note(path(1000), {}), "");
  EXPECT_EQ(layout_note(path(1001), {}),
            "1001 nodes and 1000 edges are too many for layout neato (1000 and 10000): nodes stand "
            "on rings by their distance from the middle");
  DrawingOptions options;
  options.layout = "dot";  // would not come back
  const std::string svg = draw_graph(path(3000), {}, options);
  EXPECT_THAT(svg, HasSubstr("2999"));
  EXPECT_THAT(draw_graph(path(100), {}, {}), HasSubstr(">99</text>"));
}

/// Calls work with a flag that is raised after some milliseconds.
template <typename Work>
void expect_stops(Work work) {
  std::atomic<bool> stop{false};
  const std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  EXPECT_THROW(work(StopPoll(Execution{.stop = &stop})), Interrupted);
}

TEST(LargeGraphs, EverythingCanBeStopped) {
  expect_stops([](StopPoll stop) { count_connected_graphlets(star(3000), 5, stop); });
  expect_stops([](StopPoll stop) { canonical_form(path(60'000), stop); });
  expect_stops([](StopPoll stop) {
    for (;;) bliss_canonical_order({10'000, cycles(2000, 5).edges(), {}}, stop);
  });
  expect_stops([](StopPoll stop) { draw_graph(shuffled(cycles(100, 10)), {}, {}, stop); });
  expect_stops([](StopPoll stop) {
    WlColouring colouring({.rounds = 10});
    for (;;) colouring.learn(path(100'000), stop);
  });
}

TEST(LargeGraphs, SubtreesBoundTheSubgraphs) {
  EXPECT_DOUBLE_EQ(count_subtrees(star(11), 4), 120);
  EXPECT_DOUBLE_EQ(count_subtrees(star(11), 5), 210);
  EXPECT_DOUBLE_EQ(count_subtrees(path(10), 5), 6);
}

}  // namespace
}  // namespace bermuda
