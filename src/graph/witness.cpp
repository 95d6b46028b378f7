#include "bermuda/graph/witness.hpp"

#include <algorithm>

namespace bermuda {

std::vector<bool> witness_edges(const Graph& graph, const Witness& witness) {
  std::vector<bool> flags;
  flags.reserve(graph.edges().size());
  std::vector<Edge> marked = witness.edges;
  std::ranges::sort(marked);
  for (const Edge& edge : graph.edges()) flags.push_back(std::ranges::binary_search(marked, edge));
  return flags;
}

}  // namespace bermuda
