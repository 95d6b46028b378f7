#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// How the k edges of largest weight meet the witness of one graph; k is the number of edges where
/// there are fewer. Where weights tie, these are expected values over all ways to break the tie.
struct TopEdges {
  double hits = 0;  ///< how many of the k are in the witness
  double any = 0;   ///< is at least one in it?
  double all = 0;   ///< are all k in it?
};

/// Weights that differ by less than this share of the largest are equal: attention is computed in
/// single precision, and edges that a symmetry of the graph exchanges differ by its rounding.
inline constexpr double kTieWidth = 1e-5;

TopEdges top_edges(std::span<const double> weights, const std::vector<bool>& in_witness, int top);

/// The same for k edges drawn at random from `edges`, of which `in_witness` are in the witness.
TopEdges random_edges(std::size_t edges, std::size_t in_witness, int top);

/// Means over graphs.
struct TopEdgesSummary {
  std::size_t graphs = 0;
  double share = 0;  ///< of the k edges, those in the witness
  double any = 0;    ///< share of graphs
  double all = 0;    ///< share of graphs
};

/// Sums up graph by graph.
class TopEdgesMean {
 public:
  explicit TopEdgesMean(int top) : top_(top) {}
  void add(const TopEdges& found, std::size_t edges);
  TopEdgesSummary summary() const;

 private:
  int top_;
  TopEdgesSummary sum_;
};

/// Asks the method and checks the answer: a weight for each edge, finite and not negative. Throws
/// Error when a method breaks that.
Explanations explain_edges(const Method& method, Samples samples, const ExplainOptions& options,
                           const Execution& execution);

}  // namespace bermuda
