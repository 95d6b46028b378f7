#include "pattern_walk.hpp"

#include "bermuda/core/index.hpp"
#include "random_graph.hpp"

namespace bermuda {
namespace {

// Switches that a walk may try: some for every occurrence that has to go.
constexpr std::int64_t kTriesPerOccurrence = 10;
constexpr std::int64_t kTriesForTheLast = 60;

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
  // Edges with the pattern through them, by their place; the first edge of a switch is one of them.
  std::vector<std::uint32_t> hot;
  const auto look = [&] {
    hot.clear();
    std::int64_t ends = 0;
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      stop(at(graph.node_count()));
      const std::int64_t here = pattern.through(graph, edges[i].u, edges[i].v);
      if (here > 0) hot.push_back(i);
      ends += here;
    }
    return ends / pattern.edges;
  };
  std::int64_t count = look();
  for (std::int64_t left = kTriesForTheLast + kTriesPerOccurrence * count; left > 0; --left) {
    stop(at(graph.node_count()));
    Edge& first = edges[hot[random.below(static_cast<std::uint32_t>(hot.size()))]];
    Edge& second = edges[random.below(static_cast<std::uint32_t>(edges.size()))];
    const Switch move = random_switch(first, second, random);
    if (!can_switch(graph, move)) continue;
    const std::int64_t after = count + apply_and_count(graph, move, pattern.through);
    if (after <= count && is_connected(graph)) {
      if (after > 0) {
        first = {move.a, move.c};
        second = {move.b, move.d};
        count = look();
        continue;
      }
      apply(graph, move.undone());
      if (keeps_degree_pairs(degrees, move) &&
          keeps_short_cycles(graph, move, last.longest_cycle) &&
          (!last.triangle_count || keeps_triangle_count(graph, move))) {
        apply(graph, move);
        return move;
      }
      continue;
    }
    apply(graph, move.undone());
  }
  return {};
}

}  // namespace bermuda
