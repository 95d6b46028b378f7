#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "switches.hpp"

namespace bermuda {

/// A subgraph that a graph has or has not, known by how often it occurs through an edge.
struct Pattern {
  int edges;  ///< of one occurrence
  std::function<std::int64_t(const BitGraph&, int u, int v)> through;
};

/// What the switch that removes the last occurrence must keep, beside degree pairs.
struct LastSwitch {
  int longest_cycle;    ///< cycles of up to so many edges, as in keeps_short_cycles()
  bool triangle_count;  ///< how many triangles there are
};

/// From a connected graph with the pattern to one without it, by switches that keep it connected
/// and never make more of the pattern. The last of them is applied and returned; undone it leads to
/// the graph before, which still has the pattern. Nothing when the walk did not get there.
std::optional<Switch> switch_away(BitGraph& graph, const Pattern& pattern, const LastSwitch& last,
                                  RandomStream& random, StopPoll& stop);

}  // namespace bermuda
