#include "bermuda/graph/witness.hpp"

#include <algorithm>

namespace bermuda {

std::vector<bool> witness_edges(const Graph& graph, const Witness& witness) {
  std::vector<bool> flags;
  flags.reserve(graph.edges().size());
  for (const Edge& edge : graph.edges()) {
    flags.push_back(std::ranges::find(witness.edges, edge) != witness.edges.end());
  }
  return flags;
}

}  // namespace bermuda
