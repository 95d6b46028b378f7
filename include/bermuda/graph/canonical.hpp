#pragma once

#include <string>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A string that is equal for two graphs exactly when they are isomorphic (with equal node and
/// edge labels where there are any; attributes are ignored).
///
/// The canonical order of the nodes comes from a search of our own for small graphs with little
/// symmetry and from BLISS (Junttila and Kaski 2007, through igraph) for the rest; node labels
/// enter as colours, an edge label as the colour of a node put on the edge. Safe in any number of
/// threads. Forms are for comparing within one run: they may change between versions.
std::string canonical_form(const Graph& graph);

}  // namespace bermuda
