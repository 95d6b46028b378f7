#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// Edges of the witness that are in no triangle of it: of two cliques and a path the path's length,
/// and so their distance; 0 for a triangle.
int witness_distance(const Witness& witness);

/// Edges that could be taken away before the graph falls into more parts.
int independent_cycles(const Graph& graph);

/// Values sorted into few bins, each of which has a name for people: "7", "5-8", "9 or more".
struct Bins {
  std::vector<std::string> names;
  std::vector<std::size_t> bin_of;  ///< one per value
};

/// Bins with about equally many values each; equal values stay together.
Bins quantile_bins(std::span<const int> values, std::size_t most);
/// One bin per value; the largest values share the last one.
Bins value_bins(std::span<const int> values, std::size_t most);

}  // namespace bermuda
