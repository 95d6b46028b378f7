#pragma once

#include <vector>

#include "brute_force.hpp"

namespace bermuda::verify {

/// A part of a graph, its nodes numbered anew: the neighbours of each.
using NeighbourLists = std::vector<std::vector<int>>;

/// The graph between these nodes, which become 0, 1, ...
NeighbourLists neighbours_among(const AdjacencyMatrix& graph, const std::vector<int>& nodes);

/// The nodes that can be reached from this one, ascending.
std::vector<int> piece_around(const AdjacencyMatrix& graph, int node);

/// Whether colour refinement (1-WL) ends with as many nodes of each colour in both.
bool look_alike(const NeighbourLists& first, const NeighbourLists& second,
                const AdjacencyMatrix& poll);

/// Whether some way of naming the first graph's nodes by the second's keeps all edges, and leads
/// from `first_root` to `second_root` where these are not -1. By trying: a node is given an image,
/// colours are refined, and where they do not decide it, the next node is given one.
bool are_isomorphic(const NeighbourLists& first, const NeighbourLists& second,
                    const AdjacencyMatrix& poll, int first_root = -1, int second_root = -1);

}  // namespace bermuda::verify
