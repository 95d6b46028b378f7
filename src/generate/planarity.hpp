#pragma once

#include <vector>

#include "bermuda/core/stop.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// Whether the graph can be drawn in the plane without crossings (Boyer and Myrvold 2004, as Boost
/// has it). Leaves and nodes of two edges are taken out first, which decides most small graphs.
bool is_planar(const BitGraph& graph, StopPoll& stop);

/// Kuratowski 1930: a graph that is not planar holds K5 or K3,3 with paths for edges. The edges of
/// one, sorted: what is left when every edge that can be spared is taken away.
std::vector<Edge> kuratowski_subgraph(const BitGraph& graph, StopPoll& stop);

}  // namespace bermuda
