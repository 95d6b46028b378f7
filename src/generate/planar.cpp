#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "planarity.hpp"
#include "random_graph.hpp"
#include "switches.hpp"

namespace bermuda {
namespace {

/// K3,3 or K5 with paths for edges, and more beside them.
class Planted {
 public:
  /// So many edges more than nodes; with fewer than three a graph is planar.
  static constexpr int kLeastSpareEdges = 3;

  Planted(BitGraph& graph, int spare_edges, RandomStream& random, StopPoll& stop) : graph_(graph) {
    const bool is_k5 = spare_edges >= 5 && random.below(2) == 0;
    const int branches = is_k5 ? 5 : 6;
    for (int v = 1; v < branches; ++v) {
      for (int u = 0; u < v; ++u) {
        if (is_k5 || u % 2 != v % 2) join(u, v, paths);
      }
    }
    spare_edges -= static_cast<int>(paths.size()) - branches;
    for (int node = branches; node < graph.node_count(); ++node) grow(node, random);
    // Many chords would make more of what is planted, and no single switch takes all of that away.
    const bool is_dense = spare_edges > kFewChords;
    for (int tries = kTriesPerChord * spare_edges; spare_edges > 0 && tries > 0; --tries) {
      if (add_chord(random, is_dense, stop)) --spare_edges;
    }
    is_complete = spare_edges == 0;
  }

  std::vector<Edge> paths;   ///< without one of which it may be planar
  bool is_complete = false;  ///< whether there was room for all edges

 private:
  void join(int u, int v, std::vector<Edge>& list) {
    graph_.add(u, v);
    list.push_back({u, v});
  }

  // A node is put on an edge, two of three, or hangs on another.
  void grow(int node, RandomStream& random) {
    if (random.below(3) == 0) {
      join(random.between(0, node - 1), node, others_);
      return;
    }
    const auto count = static_cast<std::uint32_t>(paths.size() + others_.size());
    const std::uint32_t drawn = random.below(count);
    std::vector<Edge>& list = drawn < paths.size() ? paths : others_;
    Edge& edge = list[drawn < paths.size() ? drawn : drawn - paths.size()];
    const int end = edge.v;
    graph_.remove(edge.u, end);
    graph_.add(edge.u, node);
    edge.v = node;
    join(node, end, list);
  }

  static constexpr int kFewChords = 4;
  static constexpr int kTriesPerChord = 30;

  // Between nodes near each other; if wanted, so that without the first path all is planar.
  bool add_chord(RandomStream& random, bool must_fit, StopPoll& stop) {
    const int from = random.between(0, graph_.node_count() - 1);
    int to = from;
    for (int steps = random.between(2, 5); steps > 0; --steps) {
      std::vector<int> next;
      graph_.for_neighbours(to, [&](int other) { next.push_back(other); });
      to = next[random.below(static_cast<std::uint32_t>(next.size()))];
    }
    if (to == from || graph_.has(from, to)) return false;
    graph_.add(from, to);
    if (!must_fit) return true;
    graph_.remove(paths[0].u, paths[0].v);
    const bool fits = is_planar(graph_, stop);
    graph_.add(paths[0].u, paths[0].v);
    if (!fits) graph_.remove(from, to);
    return fits;
  }

  BitGraph& graph_;
  std::vector<Edge> others_;
};

/// A graph with a planted K5 or K3,3 (class 0), and the same with an edge of that and another
/// switched so that it is planar (class 1). Both are connected, and
/// they agree in degrees, degree pairs and every subgraph of up to four nodes.
class PlanarTask : public Task {
 public:
  static constexpr std::string_view kName = "planar";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    return set;
  }
  void validate() const override {
    size_.validate(kSpareEdges);
    // Its two new edges sit in no triangle and no square: the faces beside them lack two each. With
    // more than 2.4 edges per node no switch was ever found.
    size_.check_room(
        kSpareEdges, [](int nodes) { return std::min(most_edges(nodes) - 4.0, 2.4 * nodes); },
        "planar graphs with edges in no short cycle");
    const auto [nodes, edges] = size_.densest_of_fewest_nodes();
    if (edges > most_edges(nodes)) {
      throw UsageError(
          fmt::format("--max-degree allows {} edges between {} nodes; planar graphs have at most "
                      "{} of these",
                      edges, nodes, most_edges(nodes)));
    }
  }
  std::vector<std::string> class_meanings() const override {
    return {"not planar: holds K5 or K3,3 with paths for edges", "planar"};
  }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    const BitGraph bits(graph);
    if (is_planar(bits, stop)) return TaskAnswer{1, {}};
    TaskAnswer answer{0, {{}, kuratowski_subgraph(bits, stop)}};
    std::vector<int>& nodes = answer.witness.nodes;
    for (const auto& [u, v] : answer.witness.edges) nodes.insert(nodes.end(), {u, v});
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return answer;
  }

 private:
  static constexpr int kSpareEdges = Planted::kLeastSpareEdges;
  static int most_edges(int nodes) { return 3 * nodes - 6; }
  std::string_view id_prefix() const override { return "PL"; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, kSpareEdges);
    BitGraph graph(nodes);
    const Planted planted(graph, edges - nodes, random, stop);
    if (!planted.is_complete) return {};
    // The same few switches come again and again; another graph is cheaper.
    int tests = 10;
    const auto freed = decide_by_switch(
        graph, planted.paths, graph.edges(), 4, random, stop, [&](const BitGraph& now) {
          return tests > 0 && is_connected(now) && --tests >= 0 && is_planar(now, stop);
        });
    if (!freed) return {};
    if (wanted == 0) apply(graph, freed->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} graphs in a row could not be made planar by a switch", attempts);
  }

  SizeRange size_{12, 12, 24, 2.3, 2.8};
};

}  // namespace

TaskInfo planar_task() {
  return {PlanarTask::kName, "can this graph be drawn without crossings?",
          [] { return std::make_unique<PlanarTask>(); }};
}

}  // namespace bermuda
