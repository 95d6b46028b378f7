#pragma once

#include <cstdint>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// Draws `samples` sets of min(k, n) distinct nodes and counts the classes of the subgraphs they
/// induce (numbers of GraphletClasses::of_size(min(k, n))). Any set is equally likely; with
/// `connected`, a set grows from a random node by random neighbours of the set, and a graph whose
/// component is too small gives fewer.
std::vector<std::uint64_t> sample_graphlets(const Graph& graph, int k, int samples, bool connected,
                                            RandomStream random, StopPoll stop = {});

}  // namespace bermuda
