#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "random_graph.hpp"
#include "switches.hpp"
#include "two_parts.hpp"

namespace bermuda {
namespace {

/// The smallest bridge of a connected graph (Tarjan 1974: an edge of a depth-first tree whose upper
/// end nothing below it reaches another way); nothing when it has none. O(n^2 / 64 + m).
class BridgeSearch {
 public:
  BridgeSearch(const BitGraph& graph, StopPoll& stop)
      : graph_(graph), stop_(stop), order_(at(graph.node_count())), low_(at(graph.node_count())) {
    std::fill_n(order_.data(), graph.node_count(), 0);
    if (graph.node_count() > 0) search();
  }

  bool is_connected() const { return visited_ == graph_.node_count(); }
  const std::optional<Edge>& bridge() const { return bridge_; }

 private:
  struct Place {
    int node;
    int parent;
    std::vector<int> open;  // neighbours to look at
  };

  // With a stack of its own, for a path may be as long as the graph has nodes.
  void search() {
    std::vector<Place> path = {enter(0, -1)};
    while (!path.empty()) {
      Place& place = path.back();
      const auto [node, parent] = std::pair(place.node, place.parent);
      if (place.open.empty()) {
        path.pop_back();
        if (parent >= 0) leave(node, parent);
        continue;
      }
      const int next = place.open.back();
      place.open.pop_back();
      if (order_[at(next)] == 0) {
        path.push_back(enter(next, node));
      } else {
        low_[at(node)] = std::min(low_[at(node)], order_[at(next)]);
      }
    }
  }

  Place enter(int node, int parent) {
    stop_(graph_.words());
    order_[at(node)] = low_[at(node)] = ++visited_;
    Place place{node, parent, {}};
    graph_.for_neighbours(node, [&](int next) {
      if (next != parent) place.open.push_back(next);
    });
    return place;
  }

  void leave(int node, int parent) {
    low_[at(parent)] = std::min(low_[at(parent)], low_[at(node)]);
    if (low_[at(node)] != order_[at(node)]) return;
    const Edge edge = {std::min(node, parent), std::max(node, parent)};
    if (!bridge_ || edge < *bridge_) bridge_ = edge;
  }

  const BitGraph& graph_;
  StopPoll& stop_;
  Scratch<int, 64> order_;  // when a node was entered, from 1; 0: not yet
  Scratch<int, 64> low_;    // the earliest node that it, or what lies below, is joined to
  int visited_ = 0;
  std::optional<Edge> bridge_;
};

/// Two graphs of nodes with at least two neighbours, joined by an edge (class 1), and the same with
/// an edge of each switched so that no edge is a bridge any more (class 0). All are connected, and
/// they agree in degrees, degree pairs and every subgraph of up to four nodes.
class BridgeTask : public Task {
 public:
  static constexpr std::string_view kName = "bridge";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    return set;
  }
  void validate() const override {
    size_.validate(kSpareEdges);
    size_.check_room(
        kSpareEdges,
        [](int nodes) {
          return std::min(most_edges_of_parts(nodes) + 1, most_switchable_edges(nodes));
        },
        "graphs whose bridge a switch can take away");
  }
  std::vector<std::string> class_meanings() const override {
    return {"connected, no bridge", "connected, with a bridge"};
  }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    if (graph.node_count() == 0) return {};
    const BitGraph bits(graph);
    const BridgeSearch search(bits, stop);
    if (!search.is_connected()) return {};
    if (!search.bridge()) return TaskAnswer{};
    const Edge bridge = *search.bridge();
    return TaskAnswer{1, {{bridge.u, bridge.v}, {bridge}}};
  }

 private:
  static constexpr int kSpareEdges = 1;  // a cycle on each side and the bridge
  std::string_view id_prefix() const override { return "BR"; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, kSpareEdges);
    const auto parts = divide(nodes, edges - 1, 0, random);
    if (!parts) return {};
    BitGraph graph(nodes);
    for (const Part& part : *parts) fill(graph, part, random, stop);
    const auto& [left, right] = *parts;
    const std::vector<Edge> left_edges = edges_within(graph, left);
    const std::vector<Edge> right_edges = edges_within(graph, right);
    graph.add(random.between(left.first, left.end - 1), random.between(right.first, right.end - 1));
    const auto closed =
        decide_by_switch(graph, left_edges, right_edges, 4, random, stop, [&](const BitGraph& now) {
          const BridgeSearch search(now, stop);
          return search.is_connected() && !search.bridge();
        });
    if (!closed) return {};
    if (wanted == 1) apply(graph, closed->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  // A ring with chords, which is then no ring any more: two tries per edge at a switch that keeps
  // the part connected.
  static void fill(BitGraph& graph, const Part& part, RandomStream& random, StopPoll& stop) {
    for (int v = part.first; v + 1 < part.end; ++v) graph.add(v, v + 1);
    graph.add(part.first, part.end - 1);
    add_random_edges(graph, part.first, part.end, part.edges - part.size(), random);
    std::vector<Edge> edges = edges_within(graph, part);
    const auto count = static_cast<std::uint32_t>(edges.size());
    for (std::uint32_t tries = 2 * count; tries > 0; --tries) {
      Edge& one = edges[random.below(count)];
      Edge& other = edges[random.below(count)];
      const Switch move = random_switch(one, other, random);
      if (!can_switch(graph, move)) continue;
      stop(at(graph.node_count()));
      apply(graph, move);
      if (reachable_from(graph, part.first) == part.size()) {
        one = {move.a, move.c};
        other = {move.b, move.d};
      } else {
        apply(graph, move.undone());
      }
    }
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} graphs in a row could not be rid of their bridges by a switch",
                       attempts);
  }

  SizeRange size_{10, 10, 20, 2.4, 3};
};

}  // namespace

TaskInfo bridge_task() {
  return {BridgeTask::kName, "is there an edge without which the graph falls apart?",
          [] { return std::make_unique<BridgeTask>(); }};
}

}  // namespace bermuda
