#pragma once

#include <string>

#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// Thrown for a graph so symmetric that the search for its canonical form was given up.
class CanonicalFormError : public Error {
 public:
  using Error::Error;
};

/// A string that is equal for two graphs exactly when they are isomorphic (with equal node and
/// edge labels where there are any; attributes are ignored).
///
/// The canonical order of the nodes comes from a search of our own for small graphs with little
/// symmetry and from BLISS (Junttila and Kaski 2007, through igraph) for the rest; node labels
/// enter as colours, an edge label as the colour of a node put on the edge. What BLISS is slow on
/// is taken from it: parts that are not connected are put in order each for itself, of nodes with
/// the same neighbours one stands for all. A connected part of more than some thousand nodes is
/// worked on in a process of its own, because BLISS does not look up often enough there. Safe in
/// any number of threads. Forms are for comparing within one run: they may change between versions.
///
/// Throws CanonicalFormError when BLISS's search takes more than a million steps, for isomorphic
/// graphs perhaps not alike.
std::string canonical_form(const Graph& graph, StopPoll stop = {});

}  // namespace bermuda
