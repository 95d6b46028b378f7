#pragma once

#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

struct RingPlace {
  double x = 0;  ///< in points, 1/72 inch
  double y = 0;
};

/// A place for each node in time proportional to nodes and edges: for graphs that are too large for
/// layouts that look better. The node of largest degree of each connected part is its middle; nodes
/// stand on the ring of their distance from it, near the one they were reached from.
std::vector<RingPlace> ring_layout(const Graph& graph);

}  // namespace bermuda
