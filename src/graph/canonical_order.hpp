#pragma once

#include <optional>
#include <vector>

#include "bermuda/core/stop.hpp"
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

/// Steps of its search after which BLISS is stopped: some seconds to some minutes.
inline constexpr long kMostSearchSteps = 1'000'000;

/// The same for any graph by BLISS (Junttila and Kaski 2007, through igraph); one thread at a time.
/// The two orders differ. Throws Error when igraph fails, CanonicalFormError after so many steps of
/// its search. BLISS looks at the poll between steps only: on 10,000 nodes one may take 0.2 s, and
/// four times that on twice as many.
std::vector<int> bliss_canonical_order(const ColouredGraph& graph, const StopPoll& stop = {},
                                       long most_steps = kMostSearchSteps);

/// The same by BLISS on a graph in which one node stands for all that have its colour and its
/// neighbours, in a process of its own where the graph is large.
std::vector<int> reduced_canonical_order(const ColouredGraph& graph, const StopPoll& stop);

}  // namespace bermuda
