#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// How often a method answers otherwise when the nodes of a graph are numbered otherwise. A
/// function of the graph alone never does.
struct RelabellingReport {
  int rounds = 0;
  std::vector<int> changes;  ///< for each graph, in how many rounds its answer changed

  double stable(std::size_t graph) const;  ///< share of rounds with the same answer
  double mean_share() const;               ///< of graphs whose answer changes, mean over rounds
  double any_share() const;                ///< of graphs whose answer changes in any round
};

/// The graph with its nodes numbered at random. The witness stays behind, for no answer may depend
/// on it.
Sample renumbered_sample(const Sample& sample, RandomStream random);
/// The graphs with their nodes renumbered at random. The order of graph i in round r follows from
/// (seed, i, r). Witnesses stay behind, for no answer may depend on them.
std::vector<Sample> renumbered_samples(Samples samples, int round, std::uint64_t seed,
                                       const Execution& execution);

/// Renumbers the nodes of all graphs at random, asks again and compares with `answers`, round after
/// round, as renumbered_samples() does.
RelabellingReport relabelling(const Method& method, Samples samples,
                              std::span<const Prediction> answers, int rounds, std::uint64_t seed,
                              const Execution& execution);

}  // namespace bermuda
