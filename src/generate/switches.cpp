#include "switches.hpp"

#include <cmath>

#include "bermuda/core/index.hpp"

namespace bermuda {

Switch random_switch(Edge first, Edge second, RandomStream& random) {
  // One of them turned round gives all there are: a-c with b-d, or a-d with b-c.
  if (random.below(2) == 0) return {first.u, first.v, second.u, second.v};
  return {first.u, first.v, second.v, second.u};
}

std::vector<int> degrees_of(const BitGraph& graph) {
  std::vector<int> degrees(at(graph.node_count()), 0);
  graph.for_edges([&](int u, int v) {
    ++degrees[at(u)];
    ++degrees[at(v)];
  });
  return degrees;
}

bool keeps_degree_pairs(const std::vector<int>& degrees, const Switch& move) {
  return degrees[at(move.b)] == degrees[at(move.c)] || degrees[at(move.a)] == degrees[at(move.d)];
}

bool is_on_short_cycle(const BitGraph& graph, int u, int v, int longest) {
  bool found = false;
  graph.for_neighbours(u, [&](int x) {
    if (x == v || found) return;
    found = graph.has(x, v);
    if (longest < 4) return;
    graph.for_neighbours(v, [&](int y) { found = found || (y != u && graph.has(x, y)); });
  });
  return found;
}

bool keeps_short_cycles(BitGraph& graph, const Switch& move, int longest) {
  if (longest < 3) return true;
  if (is_on_short_cycle(graph, move.a, move.b, longest) ||
      is_on_short_cycle(graph, move.c, move.d, longest)) {
    return false;
  }
  apply(graph, move);
  const bool quiet = !is_on_short_cycle(graph, move.a, move.c, longest) &&
                     !is_on_short_cycle(graph, move.b, move.d, longest);
  apply(graph, move.undone());
  return quiet;
}

double most_switchable_edges(int nodes) {
  const double n = nodes;
  return n * (0.75 * std::cbrt(n * std::log(n)) + 0.25);
}

std::vector<Edge> free_of_short_cycles(const BitGraph& graph, const std::vector<Edge>& edges,
                                       int longest) {
  std::vector<Edge> free = edges;
  if (longest < 3) return free;
  std::erase_if(
      free, [&](const Edge& edge) { return is_on_short_cycle(graph, edge.u, edge.v, longest); });
  return free;
}

}  // namespace bermuda
