#pragma once

#include <span>

#include "bermuda/core/random.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// The edges of a lift that lie above one of its base: copy i of an end with copy partner[i] of the
/// other. Copies of node v are v * r .. v * r + r - 1.
template <typename Join>
void join_copies(const Edge& edge, std::span<const int> partner, Join join) {
  const auto copies = static_cast<int>(partner.size());
  for (int i = 0; i < copies; ++i) {
    join(edge.u * copies + i, edge.v * copies + partner[static_cast<std::size_t>(i)]);
  }
}

/// A random r-lift: r copies of every node, and for each edge u-v of the base a permutation p that
/// joins copy i of u with copy p(i) of v. Copies of a node can never be told apart by their
/// colours, whatever the rounds, so that switches among them keep all colours.
Graph random_lift(const Graph& base, int copies, RandomStream& random);

/// The graph with so many more edges, at random; fewer where there is no room.
Graph with_random_edges(const Graph& graph, int more, RandomStream& random);

}  // namespace bermuda
