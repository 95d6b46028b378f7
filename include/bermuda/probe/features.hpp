#pragma once

#include <span>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/linear/presence_rows.hpp"

namespace bermuda {

/// The undermanned feature templates of the paper, section 2.1, for each graph: the degree d of a
/// node, the degree pair (d_u, d_v) of an edge's ends, the number of nodes, the number of edges.
/// The first two stand twice: as presence, and as presence with its count ("three nodes of degree
/// 5" is one feature). Nodes without edges count as nodes of degree 0.
/// Columns are numbered by template, then by degrees and count. O(nodes + edges) per graph.
PresenceRows undermanned_features(std::span<const Sample* const> samples,
                                  const Execution& execution);

}  // namespace bermuda
