#pragma once

#include <optional>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A graph whose nodes have colours; colours are empty when all are equal.
struct ColouredGraph {
  int node_count = 0;
  std::vector<Edge> edges;
  std::vector<int> colours;
};

/// The place of every node in an order that isomorphic graphs share: renumbering two isomorphic
/// graphs by it makes them equal.
///
/// Individualisation and refinement (McKay 1981) on machine words. Of nodes that have the same
/// neighbours one is tried for all, which leaves hardly any search in the graphs of our tasks: some
/// microseconds per graph, in any number of threads. Gives up, for all graphs isomorphic to each
/// other alike, on more than 64 nodes and on symmetric graphs whose search tree is large.
std::optional<std::vector<int>> small_canonical_order(const ColouredGraph& graph);

/// The same for any graph by BLISS (Junttila and Kaski 2007, through igraph); one thread at a time.
/// The two orders differ. Throws Error when igraph fails.
std::vector<int> bliss_canonical_order(const ColouredGraph& graph);

}  // namespace bermuda
