#pragma once

#include "bermuda/core/random.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A random r-lift: r copies of every node, and for each edge u-v of the base a permutation p that
/// joins copy i of u with copy p(i) of v. Copies of a node can never be told apart by their
/// colours, whatever the rounds, so that switches among them keep all colours.
Graph random_lift(const Graph& base, int copies, RandomStream& random);

/// The graph with so many more edges, at random; fewer where there is no room.
Graph with_random_edges(const Graph& graph, int more, RandomStream& random);

}  // namespace bermuda
