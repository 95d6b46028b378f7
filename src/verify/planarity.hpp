#pragma once

#include "brute_force.hpp"

namespace bermuda::verify {

/// Whether the graph can be drawn without crossings: Demoucron, Malgrange and Pertuiset 1964, which
/// draws it. In every block a cycle is drawn first; then a path of what is missing is put into one
/// of the faces that it fits into, until all is drawn or something fits nowhere. O(n m) per block.
bool can_be_drawn(const AdjacencyMatrix& graph);

}  // namespace bermuda::verify
