#include "pattern_walk.hpp"

#include "bermuda/core/index.hpp"
#include "random_graph.hpp"

namespace bermuda {
namespace {

// Steps that a walk may take without getting on: some for every occurrence that has to go.
constexpr std::int64_t kStepsPerOccurrence = 25;
constexpr std::int64_t kStepsForTheLast = 120;

using Through = std::function<std::int64_t(const BitGraph&, int u, int v)>;

std::int64_t triangles_through(const BitGraph& graph, int u, int v) {
  std::int64_t count = 0;
  graph.for_neighbours(u, [&](int w) { count += graph.has(v, w) ? 1 : 0; });
  return count;
}

/// Applies the switch, and says by how much it changed the number of occurrences.
std::int64_t apply_and_count(BitGraph& graph, const Switch& move, const Through& through) {
  std::int64_t change = -through(graph, move.a, move.b);
  graph.remove(move.a, move.b);
  change -= through(graph, move.c, move.d);
  graph.remove(move.c, move.d);
  graph.add(move.a, move.c);
  change += through(graph, move.a, move.c);
  graph.add(move.b, move.d);
  return change + through(graph, move.b, move.d);
}

bool keeps_triangle_count(BitGraph& graph, const Switch& move) {
  const std::int64_t change = apply_and_count(graph, move, triangles_through);
  apply(graph, move.undone());
  return change == 0;
}

}  // namespace

std::optional<Switch> switch_away(BitGraph& graph, const Pattern& pattern, const LastSwitch& last,
                                  RandomStream& random, StopPoll& stop) {
  const std::vector<int> degrees = degrees_of(graph);
  std::vector<Edge> edges = graph.edges();
  std::int64_t count = 0;
  for (const Edge& edge : edges) {
    stop(at(graph.node_count()));
    count += pattern.through(graph, edge.u, edge.v);
  }
  count /= pattern.edges;
  const auto any_edge = [&]() -> Edge& {
    return edges[random.below(static_cast<std::uint32_t>(edges.size()))];
  };
  for (std::int64_t left = kStepsForTheLast + kStepsPerOccurrence * count; left > 0; --left) {
    stop(at(graph.node_count()));
    Edge& first = any_edge();
    if (pattern.through(graph, first.u, first.v) == 0) continue;
    Edge& second = any_edge();
    const Switch move = random_switch(first, second, random);
    if (!can_switch(graph, move)) continue;
    // The last switch must keep more; whether it is the last is known when it is made.
    const bool may_be_last = keeps_degree_pairs(degrees, move) &&
                             keeps_short_cycles(graph, move, last.longest_cycle) &&
                             (!last.triangle_count || keeps_triangle_count(graph, move));
    const std::int64_t after = count + apply_and_count(graph, move, pattern.through);
    if (after > count || (after == 0 && !may_be_last) || !is_connected(graph)) {
      apply(graph, move.undone());
      continue;
    }
    if (after == 0) return move;
    count = after;
    first = {move.a, move.c};
    second = {move.b, move.d};
  }
  return {};
}

}  // namespace bermuda
