#pragma once

#include <vector>

#include "bags.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// What more than one probe counts.
void add_size(const Graph& graph, Bag& bag);
void add_degrees(const Graph& graph, Bag& bag);
void add_degree_pairs(const Graph& graph, Bag& bag);
/// Of rounds 0 to last_round; those of round 0 are the node labels.
void add_colours(const std::vector<std::vector<int>>& rounds, int last_round, Bag& bag);

}  // namespace bermuda
