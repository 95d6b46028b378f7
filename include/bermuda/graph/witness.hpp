#pragma once

#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// One flag per edge, in the order of Graph::edges(): is it part of the witness?
std::vector<bool> witness_edges(const Graph& graph, const Witness& witness);

}  // namespace bermuda
