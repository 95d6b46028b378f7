#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bags.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// How many nodes from each end of a file have their distances looked at.
inline constexpr int kFileEnd = 8;

/// What the places of the nodes in the file tell, counted from the first node and again from the
/// last: the degree (and the colour, unless colours is empty) of the node at each place, the edges
/// between places, and the distances among the first and among the last kFileEnd nodes. A distance
/// is measured against the mean distance of its two ends from all nodes: with nodes in random order
/// every such measure is 0 on average, so that distances as such, which are not a matter of order,
/// do not count. place_of[v] is the place of node v. O(kFileEnd * (nodes + edges)).
void add_node_places(const Graph& graph, std::span<const int> colours,
                     std::span<const int> place_of, Bag& bag, StopPoll stop = {});

/// Places as they are in the file: 0, 1, 2, ...
std::vector<int> file_order(int node_count);

/// Places at random: a pure function of (seed, item).
std::vector<int> shuffled_order(int node_count, std::uint64_t seed, std::uint64_t item);

}  // namespace bermuda
