#pragma once

#include <optional>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/core/stop.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// Two edges a-b and c-d that become a-c and b-d: every node keeps its degree.
struct Switch {
  int a;
  int b;
  int c;
  int d;
  /// What leads back.
  Switch undone() const { return {a, c, b, d}; }
};

/// That the four nodes differ and the edges to come are not there.
inline bool can_switch(const BitGraph& graph, const Switch& move) {
  return move.a != move.c && move.a != move.d && move.b != move.c && move.b != move.d &&
         !graph.has(move.a, move.c) && !graph.has(move.b, move.d);
}
inline void apply(BitGraph& graph, const Switch& move) {
  graph.remove(move.a, move.b);
  graph.remove(move.c, move.d);
  graph.add(move.a, move.c);
  graph.add(move.b, move.d);
}

/// Two of the edges, either way round; it may be impossible.
Switch random_switch(Edge first, Edge second, RandomStream& random);

std::vector<int> degrees_of(const BitGraph& graph);

/// That the edges join the same pairs of degrees afterwards: who sees degrees and degree pairs only
/// cannot tell the two graphs apart.
bool keeps_degree_pairs(const std::vector<int>& degrees, const Switch& move);

/// Whether the edge u-v sits in a cycle of three, or of up to `longest` = 4 edges.
bool is_on_short_cycle(const BitGraph& graph, int u, int v, int longest);

/// Of a possible switch: no cycle of up to `longest` (2, 3 or 4; 2 asks nothing) edges goes or
/// comes. Together with keeps_degree_pairs(), longest = 4 keeps how often each connected subgraph
/// of up to four nodes occurs. The graph is as it was afterwards.
bool keeps_short_cycles(BitGraph& graph, const Switch& move, int longest);

/// Those of the edges that sit in no cycle of up to `longest` edges: only these can be switched so
/// that such cycles stay.
std::vector<Edge> free_of_short_cycles(const BitGraph& graph, const std::vector<Edge>& edges,
                                       int longest);

/// The most edges of random graphs in which decide_by_switch() finds anything with `longest` = 4.
/// Where the mean degree is above (n log n)^(1/3), hardly an edge sits in no short cycle (as random
/// graphs without four-cycles end there: Bohman and Keevash 2010); above the 1.5-fold of that, and
/// half an edge, a hundred thousand graphs show none.
double most_switchable_edges(int nodes);

/// Looks for a switch of an edge of `first` and one of `second` that keeps degree pairs and cycles
/// of up to `longest` edges, and for which decides(graph after it) holds. Applies the first one
/// found; nothing, and the graph as it was, when so many tries found none.
///
/// A task whose classes are the two graphs around such a switch is fair: whatever is a function
/// of what was kept has the same distribution in both.
template <typename Decides>
std::optional<Switch> decide_by_switch(BitGraph& graph, const std::vector<Edge>& first,
                                       const std::vector<Edge>& second, int longest,
                                       RandomStream& random, StopPoll& stop, Decides decides) {
  constexpr int kTries = 300;
  const std::vector<Edge> from = free_of_short_cycles(graph, first, longest);
  const std::vector<Edge> to = free_of_short_cycles(graph, second, longest);
  if (from.empty() || to.empty()) return {};
  const std::vector<int> degrees = degrees_of(graph);
  for (int i = 0; i < kTries; ++i) {
    const Edge one = from[random.below(static_cast<std::uint32_t>(from.size()))];
    const Edge other = to[random.below(static_cast<std::uint32_t>(to.size()))];
    const Switch move = random_switch(one, other, random);
    if (!can_switch(graph, move) || !keeps_degree_pairs(degrees, move)) continue;
    stop();
    if (!keeps_short_cycles(graph, move, longest)) continue;
    apply(graph, move);
    stop(static_cast<std::size_t>(graph.node_count()));
    if (decides(graph)) return move;
    apply(graph, move.undone());
  }
  return {};
}

}  // namespace bermuda
