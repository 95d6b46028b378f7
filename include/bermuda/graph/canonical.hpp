#pragma once

#include <string>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A string that is equal for two graphs exactly when they are isomorphic (with equal node and
/// edge labels where there are any; attributes are ignored).
///
/// BLISS (Junttila and Kaski 2007, through igraph) finds the canonical order of the nodes; node
/// labels enter as colours, an edge label as the colour of a node put on the edge.
std::string canonical_form(const Graph& graph);

}  // namespace bermuda
