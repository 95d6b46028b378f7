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

/// Cliques of k nodes that contain those given, made of nodes that are joined to all of these.
class CliqueSearch {
 public:
  CliqueSearch(const BitGraph& graph, StopPoll& stop) : graph_(graph), stop_(stop) {}

  /// How many ways there are to choose `more` of the candidates that are all joined; stops at the
  /// first where `clique` is wanted, and adds it there.
  std::int64_t count(const std::vector<int>& candidates, int more, std::vector<int>* clique) {
    stop_();
    if (more == 0) return 1;
    std::int64_t found = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::vector<int> joined;
      for (std::size_t j = i + 1; j < candidates.size(); ++j) {
        if (graph_.has(candidates[i], candidates[j])) joined.push_back(candidates[j]);
      }
      found += count(joined, more - 1, clique);
      if (clique == nullptr || found == 0) continue;
      clique->push_back(candidates[i]);
      return found;
    }
    return found;
  }

  std::int64_t through(int u, int v, int k) {
    std::vector<int> common;
    graph_.for_neighbours(u, [&](int w) {
      if (graph_.has(v, w)) common.push_back(w);
    });
    return k == 3 ? static_cast<std::int64_t>(common.size()) : count(common, k - 2, nullptr);
  }

  /// The nodes of a clique, ascending; empty when there is none.
  std::vector<int> find(int k) {
    for (int lowest = 0; lowest < graph_.node_count(); ++lowest) {
      std::vector<int> above;
      graph_.for_neighbours(lowest, [&](int w) {
        if (w > lowest) above.push_back(w);
      });
      std::vector<int> clique;
      if (count(above, k - 1, &clique) == 0) continue;
      clique.push_back(lowest);
      std::ranges::reverse(clique);
      return clique;
    }
    return {};
  }

 private:
  const BitGraph& graph_;
  StopPoll& stop_;
};

/// A planted clique in a random connected graph; switches of two edges then take away all cliques
/// of its size. The graph after the last switch is of class 0, the one before it of class 1: they
/// agree in degrees, degree pairs and (k > 3) the number of triangles.
class CliqueTask : public Task {
 public:
  static constexpr std::string_view kName = "clique-k";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    set.add("k", k_, 3, 5, "nodes of the clique");
    return set;
  }
  void validate() const override {
    size_.validate(spare_edges());
    size_.check_room(
        spare_edges(), [this](int nodes) { return most_edges(nodes); },
        fmt::format("graphs that can be rid of their cliques of {} nodes", k_));
    // A clique and trees on it: no other graph of so few edges has as many triangles.
    if (k_ == 3 || size_.most_spare_edges() > spare_edges()) return;
    throw UsageError(
        fmt::format("--max-degree allows no edge beside a clique of {} nodes and what hangs on it; "
                    "no switch of two edges takes that clique away",
                    k_));
  }
  std::vector<std::string> class_meanings() const override {
    return {fmt::format("no clique of {} nodes", k_), fmt::format("a clique of {} nodes", k_)};
  }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    const BitGraph bits(graph);
    const std::vector<int> clique = CliqueSearch(bits, stop).find(k_);
    if (clique.empty()) return TaskAnswer{};
    TaskAnswer answer{1, {clique, {}}};
    for (std::size_t i = 0; i < clique.size(); ++i) {
      for (std::size_t j = i + 1; j < clique.size(); ++j) {
        answer.witness.edges.push_back({clique[i], clique[j]});
      }
    }
    return answer;
  }

 private:
  std::string_view id_prefix() const override { return "CK"; }
  /// Random graphs without such a clique have a mean degree of about n^(1 - 2/(k+1)), times a power
  /// of log n, at most (Bohman and Keevash 2010): at 1.4 times that, no walk that was tried came to
  /// its end. No graph has more edges than Turán's (1941).
  double most_edges(int nodes) const {
    const double n = nodes;
    const double by_chance = 0.7 * n * std::pow(n, 1 - 2.0 / (k_ + 1)) *
                             std::pow(std::log(n), 1.0 / (k_ * (k_ - 1) / 2.0 - 1));
    return std::min(by_chance, n * n * (k_ - 2) / (2 * (k_ - 1)));
  }
  // The clique has k (k - 1) / 2 edges, every further node at least one.
  int spare_edges() const { return k_ * (k_ - 3) / 2; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, spare_edges());
    BitGraph graph(nodes);
    for (int v = 1; v < k_; ++v) {
      for (int u = 0; u < v; ++u) graph.add(u, v);
    }
    grow_tree(graph, 0, nodes, k_, random);
    add_random_edges(graph, 0, nodes, edges - nodes - spare_edges(), random);
    const Pattern pattern = {k_ * (k_ - 1) / 2, [&](const BitGraph& now, int u, int v) {
                               return CliqueSearch(now, stop).through(u, v, k_);
                             }};
    const auto last = switch_away(graph, pattern, {2, k_ > 3}, random, stop);
    if (!last) return {};
    if (wanted == 1) apply(graph, last->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} graphs in a row could not be rid of their cliques of {} nodes", attempts,
                       k_);
  }

  SizeRange size_{10, 10, 20, 3, 5};
  int k_ = 4;
};

}  // namespace

TaskInfo clique_k_task() {
  return {CliqueTask::kName, "is there a clique of k nodes?",
          [] { return std::make_unique<CliqueTask>(); }};
}

}  // namespace bermuda
