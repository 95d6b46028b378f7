#pragma once

#include <optional>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// All nodes within some steps of one node, of one of two graphs: no node of the other has such
/// surroundings.
struct TellingBall {
  bool of_second = false;
  std::vector<int> nodes;
};

/// One with the fewest steps, by hashes that equal surroundings share. Nothing when no hash tells:
/// then the two connected graphs are isomorphic, or differ in ways that only a search can find.
std::optional<TellingBall> find_telling_ball(const BitGraph& first, const BitGraph& second,
                                             StopPoll& stop);

}  // namespace bermuda
