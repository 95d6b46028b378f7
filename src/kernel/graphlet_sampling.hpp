#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"
#include "bermuda/graph/graphlets.hpp"

namespace bermuda {

struct GraphletSizes {
  int least;
  int most;
};

/// [size][class of GraphletClasses::of_size(size)]; empty for sizes that are never drawn.
using CountsBySize = std::array<std::vector<std::uint64_t>, kLargestGraphlet + 1>;

/// Draws `samples` sets of distinct nodes and counts the classes of the subgraphs they induce. Of
/// several sizes each is equally likely, and then each set of that size; a graph of n nodes has
/// none larger than n. With `connected`, a set grows from a random node by random neighbours of the
/// set, and a graph whose component is too small gives fewer.
CountsBySize sample_graphlets(const Graph& graph, GraphletSizes sizes, int samples, bool connected,
                              RandomStream random, StopPoll stop = {});

}  // namespace bermuda
