#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "random_graph.hpp"
#include "switches.hpp"

namespace bermuda {
namespace {

/// Colours every component from its lowest node on, until an edge has two ends of one colour.
class TwoColouring {
 public:
  TwoColouring(const BitGraph& graph, StopPoll& stop)
      : parent_(at(graph.node_count()), -1), colour_(at(graph.node_count()), -1) {
    std::vector<int> queue;
    for (int start = 0; start < graph.node_count() && !clash_; ++start) {
      if (colour_[at(start)] >= 0) continue;
      colour_[at(start)] = 0;
      queue = {start};
      for (std::size_t done = 0; done < queue.size() && !clash_; ++done) {
        stop(graph.words());
        const int node = queue[done];
        graph.for_neighbours(node, [&](int next) {
          if (colour_[at(next)] < 0) {
            colour_[at(next)] = 1 - colour_[at(node)];
            parent_[at(next)] = node;
            queue.push_back(next);
          } else if (colour_[at(next)] == colour_[at(node)] && !clash_) {
            clash_ = Edge{node, next};
          }
        });
      }
    }
  }

  bool is_proper() const { return !clash_; }

  /// All nodes of the first colour.
  std::vector<int> first_colour() const {
    std::vector<int> nodes;
    for (std::size_t v = 0; v < colour_.size(); ++v) {
      if (colour_[v] == 0) nodes.push_back(static_cast<int>(v));
    }
    return nodes;
  }

  /// The edge that clashes and the tree's paths from its ends to where they meet: both are as long,
  /// for breadth-first trees have clashes within a level only.
  Witness odd_cycle() const {
    Witness cycle;
    auto [u, v] = *clash_;
    const auto add = [&](int one, int other) {
      cycle.edges.push_back({std::min(one, other), std::max(one, other)});
    };
    add(u, v);
    while (u != v) {
      cycle.nodes.insert(cycle.nodes.end(), {u, v});
      add(u, parent_[at(u)]);
      add(v, parent_[at(v)]);
      u = parent_[at(u)];
      v = parent_[at(v)];
    }
    cycle.nodes.push_back(u);
    std::sort(cycle.nodes.begin(), cycle.nodes.end());
    std::sort(cycle.edges.begin(), cycle.edges.end());
    return cycle;
  }

 private:
  std::vector<int> parent_;
  std::vector<int> colour_;
  std::optional<Edge> clash_;
};

/// A random connected graph of two colours (class 1), and the same with two edges switched so that
/// nodes of one colour are joined (class 0). All are connected, and they agree in degrees, degree
/// pairs and every subgraph of up to four nodes: the odd cycles have five edges or more.
class BipartiteTask : public Task {
 public:
  static constexpr std::string_view kName = "bipartite";

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
        [](int nodes) { return std::min(nodes * 0.25 * nodes, most_switchable_edges(nodes)); },
        "bipartite graphs that a switch can give an odd cycle");
  }
  std::vector<std::string> class_meanings() const override { return {"an odd cycle", "bipartite"}; }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    if (graph.node_count() == 0) return {};
    const TwoColouring colouring(BitGraph(graph), stop);
    if (!colouring.is_proper()) return TaskAnswer{0, colouring.odd_cycle()};
    return TaskAnswer{1, {colouring.first_colour(), {}}};
  }

 private:
  static constexpr int kSpareEdges = 0;  // a tree is always bipartite, and stays so
  std::string_view id_prefix() const override { return "BI"; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, kSpareEdges);
    // Nodes below `middle` have one colour, the others the other.
    const int middle = random.between((nodes + 2) / 3, nodes - (nodes + 2) / 3);
    if (edges > middle * (nodes - middle)) return {};
    BitGraph graph(nodes);
    grow(graph, middle, random);
    for (int left = edges - (nodes - 1); left > 0;) {
      const int u = random.between(0, middle - 1);
      const int v = random.between(middle, nodes - 1);
      if (graph.has(u, v)) continue;
      graph.add(u, v);
      --left;
    }
    const std::vector<Edge> all = graph.edges();
    const auto mixed = decide_by_switch(graph, all, all, 4, random, stop, [&](const BitGraph& now) {
      return is_connected(now) && !TwoColouring(now, stop).is_proper();
    });
    if (!mixed) return {};
    if (wanted == 1) apply(graph, mixed->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  // A tree: nodes come in a random order, each joined to one of the other colour that was there
  // before; the first of each colour are joined.
  static void grow(BitGraph& graph, int middle, RandomStream& random) {
    std::vector<int> order;
    for (int v = 0; v < graph.node_count(); ++v) {
      if (v != 0 && v != middle) order.push_back(v);
    }
    random.shuffle(std::span(order));
    std::vector<int> low = {0};
    std::vector<int> high = {middle};
    graph.add(0, middle);
    for (const int node : order) {
      std::vector<int>& own = node < middle ? low : high;
      const std::vector<int>& others = node < middle ? high : low;
      graph.add(node, others[random.below(static_cast<std::uint32_t>(others.size()))]);
      own.push_back(node);
    }
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} graphs of two colours in a row got no odd cycle by a switch", attempts);
  }

  SizeRange size_{10, 10, 20, 2, 3};
};

}  // namespace

TaskInfo bipartite_task() {
  return {BipartiteTask::kName, "can the nodes be coloured with two colours?",
          [] { return std::make_unique<BipartiteTask>(); }};
}

}  // namespace bermuda
