#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "pattern_walk.hpp"
#include "random_graph.hpp"

namespace bermuda {
namespace {

/// Paths from one node to another over so many edges that visit no node twice.
class PathSearch {
 public:
  PathSearch(const BitGraph& graph, int to, StopPoll& stop)
      : graph_(graph), to_(to), stop_(stop), visited_(graph.words()) {
    std::fill_n(visited_.data(), graph.words(), 0);
    flip(to);
  }

  std::int64_t count(int from, int edges) {
    stop_();
    if (edges == 1) return graph_.has(from, to_) ? 1 : 0;
    flip(from);
    std::int64_t paths = 0;
    graph_.for_neighbours(from, [&](int next) {
      if (!is_visited(next)) paths += count(next, edges - 1);
    });
    flip(from);
    return paths;
  }

  /// The first path over nodes above `to` only, as its nodes without `to`; empty when there is
  /// none.
  std::vector<int> find_above(int from, int edges) {
    stop_();
    if (edges == 1) return graph_.has(from, to_) ? std::vector<int>{from} : std::vector<int>{};
    flip(from);
    std::vector<int> path;
    graph_.for_neighbours(from, [&](int next) {
      if (path.empty() && next > to_ && !is_visited(next)) path = find_above(next, edges - 1);
    });
    flip(from);
    if (!path.empty()) path.push_back(from);
    return path;
  }

 private:
  bool is_visited(int node) const { return (visited_[at(node) / 64] >> (at(node) % 64) & 1U) != 0; }
  void flip(int node) { visited_[at(node) / 64] ^= std::uint64_t{1} << (at(node) % 64); }

  const BitGraph& graph_;
  int to_;
  StopPoll& stop_;
  Scratch<std::uint64_t, 1> visited_;
};

/// The nodes of a cycle of k edges, in its order; empty when there is none.
std::vector<int> find_cycle_of(const BitGraph& graph, int k, StopPoll& stop) {
  for (int lowest = 0; lowest < graph.node_count(); ++lowest) {
    std::vector<int> cycle;
    graph.for_neighbours(lowest, [&](int next) {
      if (!cycle.empty() || next < lowest) return;
      cycle = PathSearch(graph, lowest, stop).find_above(next, k - 1);
    });
    if (cycle.empty()) continue;
    cycle.push_back(lowest);
    return cycle;
  }
  return {};
}

/// A planted cycle of k edges in a random connected graph; switches of two edges then take away
/// all cycles of this length. The graph after the last switch is of class 0, the one before it of
/// class 1: they agree in degrees, degree pairs and (k > 4) every subgraph of up to four nodes.
class CycleTask : public Task {
 public:
  static constexpr std::string_view kName = "cycle-k";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    set.add("k", k_, 4, 8, "edges of the cycle");
    return set;
  }
  void validate() const override {
    size_.validate(0);
    size_.check_room(
        0, [this](int nodes) { return most_edges(nodes); },
        fmt::format("graphs that can be rid of their cycles of {} edges", k_));
  }
  std::vector<std::string> class_meanings() const override {
    return {fmt::format("no cycle of {} edges", k_), fmt::format("a cycle of {} edges", k_)};
  }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    const std::vector<int> cycle = find_cycle_of(BitGraph(graph), k_, stop);
    if (cycle.empty()) return TaskAnswer{};
    TaskAnswer answer{1, {cycle, {}}};
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto [u, v] = std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]);
      answer.witness.edges.push_back({u, v});
    }
    std::sort(answer.witness.nodes.begin(), answer.witness.nodes.end());
    std::sort(answer.witness.edges.begin(), answer.witness.edges.end());
    return answer;
  }

 private:
  std::string_view id_prefix() const override { return "CY"; }

  /// Random graphs without such a cycle have a mean degree of about (n log n)^(1/(k-1)) at most
  /// (Bohman and Keevash 2010): at 1.2 times that and one more, no walk that was tried came to its
  /// end. Without four-cycles there are n (1 + sqrt(4n - 3)) / 4 edges at most (Reiman 1958).
  double most_edges(int nodes) const {
    const double n = nodes;
    const double by_chance = n * (0.6 * std::pow(n * std::log(n), 1.0 / (k_ - 1)) + 0.5);
    return k_ == 4 ? std::min(by_chance, n * (1 + std::sqrt(4 * n - 3)) / 4) : by_chance;
  }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, 0);
    BitGraph graph(nodes);
    for (int i = 0; i < k_; ++i) graph.add(i, (i + 1) % k_);
    grow_tree(graph, 0, nodes, k_, random);
    add_random_edges(graph, 0, nodes, edges - nodes, random);
    const Pattern pattern = {k_, [&](const BitGraph& now, int u, int v) {
                               return PathSearch(now, v, stop).count(u, k_ - 1);
                             }};
    const auto last = switch_away(graph, pattern, {std::min(k_ - 1, 4), false}, random, stop);
    if (!last) return {};
    if (wanted == 1) apply(graph, last->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} graphs in a row could not be rid of their cycles of {} edges", attempts,
                       k_);
  }

  SizeRange size_{10, 10, 20, 2.2, 3};
  int k_ = 4;
};

}  // namespace

TaskInfo cycle_k_task() {
  return {CycleTask::kName, "is there a cycle of exactly k edges?",
          [] { return std::make_unique<CycleTask>(); }};
}

}  // namespace bermuda
