#include "lift.hpp"

#include <algorithm>
#include <numeric>

namespace bermuda {

Graph random_lift(const Graph& base, int copies, RandomStream& random) {
  // How many edges are twisted at all differs from lift to lift: what must survive as it is, a
  // clique, seldom does where all are.
  const std::uint32_t straight = random.below(4);
  std::vector<int> order(static_cast<std::size_t>(copies));
  std::vector<Edge> edges;
  for (const Edge& edge : base.edges()) {
    std::iota(order.begin(), order.end(), 0);
    if (random.below(4) >= straight) random.shuffle(std::span(order));
    join_copies(edge, order, [&](int one, int other) { edges.push_back({one, other}); });
  }
  return {base.node_count() * copies, std::move(edges)};
}

Graph with_random_edges(const Graph& graph, int more, RandomStream& random) {
  constexpr int kTries = 10;
  std::vector<Edge> edges = graph.edges();
  const auto nodes = static_cast<std::uint32_t>(graph.node_count());
  for (int i = 0; i < more * kTries && more > 0 && nodes > 1; ++i) {
    const auto u = static_cast<int>(random.below(nodes));
    const auto v = static_cast<int>(random.below(nodes));
    const Edge edge{std::min(u, v), std::max(u, v)};
    if (u == v || std::ranges::find(edges, edge) != edges.end()) continue;
    edges.push_back(edge);
    --more;
  }
  return {graph.node_count(), std::move(edges)};
}

}  // namespace bermuda
