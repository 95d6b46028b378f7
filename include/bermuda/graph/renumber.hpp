#pragma once

#include <span>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// The same graph with node v called number[v], a permutation of 0..n-1. Labels and attributes move
/// with their nodes and edges.
Graph renumbered(const Graph& graph, std::span<const int> number);

}  // namespace bermuda
