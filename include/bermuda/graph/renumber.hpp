#pragma once

#include <span>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// The same graph with node v called number[v], a permutation of 0..n-1. Labels and attributes move
/// with their nodes and edges.
Graph renumbered(const Graph& graph, std::span<const int> number);
/// The witness of that graph; nodes and edges are in order.
Witness renumbered(const Witness& witness, std::span<const int> number);

/// Such numbers, each permutation as likely as any other.
std::vector<int> random_numbers(int nodes, RandomStream& random);

}  // namespace bermuda
