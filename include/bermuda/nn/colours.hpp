#pragma once

#include <vector>

#include "bermuda/nn/packed_graphs.hpp"

namespace bermuda::nn {

/// How a layer joins what it hears from the neighbours. Nodes that a layer of this kind cannot
/// tell apart get one colour.
enum class Aggregation {
  kMean,       ///< hears shares: {a, a, b, b} is {a, b}
  kSum,        ///< hears the multiset
  kSymmetric,  ///< Kipf and Welling: the multiset, and the degrees of both ends from the start
  kAttention,  ///< a softmax over neighbours hears shares, too
};

/// Colours of all nodes after 0..rounds rounds of refinement: colours[r][node], numbered from 0 in
/// order of first appearance. Nodes of one colour have the same vector after r layers, in any
/// network of this aggregation that starts from these features (node indices excepted).
/// O(rounds (nodes + edges log degree)) time.
struct NodeColours {
  std::vector<std::vector<int>> of_round;
  std::vector<int> count;  ///< colours of each round

  /// What nodes of one colour hear: colours of the round before, each once, with how many
  /// neighbours have it. Entries offsets[c] .. offsets[c + 1] are of colour c.
  struct Heard {
    std::vector<int> speakers;  ///< of each colour, a node that has it
    std::vector<int> offsets{0};
    std::vector<int> colours;
    std::vector<int> counts;
  };
  std::vector<Heard> heard;  ///< of each round; of round 0 the speakers only

  NodeColours(const PackedGraphs& graphs, const FeatureSpec& spec, Aggregation aggregation,
              int rounds);
};

}  // namespace bermuda::nn
