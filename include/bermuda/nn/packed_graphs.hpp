#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda::nn {

/// How nodes become numbers: columns of the feature table, in this order: a constant 1, or where
/// the graphs have labels one column per label; the degree; one column per node index.
struct FeatureSpec {
  std::vector<int> node_labels;  ///< that training saw, ascending; empty: unlabelled
  std::vector<int> edge_labels;  ///< likewise; used by networks over whole graphs only
  bool degree = false;
  int indices = 0;  ///< size of the table of node indices, 0: none

  /// Columns without those of the indices, which are looked up instead.
  int dense_columns() const {
    return (node_labels.empty() ? 1 : static_cast<int>(node_labels.size())) + (degree ? 1 : 0);
  }
  int columns() const { return dense_columns() + indices; }
};

/// Many graphs laid end to end: the nodes of graph g are node_offsets[g] .. node_offsets[g + 1],
/// the neighbours of node v, as numbers of nodes in the whole, are
/// neighbours[neighbour_offsets[v] .. neighbour_offsets[v + 1]). 4 bytes per number.
struct PackedGraphs {
  std::vector<int> node_offsets{0};
  std::vector<int> neighbour_offsets{0};
  std::vector<int> neighbours;
  std::vector<int> node_labels;  ///< place in FeatureSpec::node_labels, -1 unknown; empty: none
  std::vector<int> edge_labels;  ///< of each entry of neighbours, likewise
  std::vector<int> classes;
  /// A number that is a function of each graph alone: what is random about a graph can hang on it
  /// and then does not depend on the graphs around.
  std::vector<std::uint64_t> keys;

  PackedGraphs() = default;
  /// Throws UsageError when the whole has more than 2^31 nodes or neighbours.
  PackedGraphs(Samples samples, const FeatureSpec& spec);

  int graph_count() const { return static_cast<int>(node_offsets.size()) - 1; }
  int node_count() const { return node_offsets.back(); }
  int degree(int node) const {
    return neighbour_offsets[static_cast<std::size_t>(node) + 1] -
           neighbour_offsets[static_cast<std::size_t>(node)];
  }
  std::span<const int> neighbours_of(int node) const {
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(neighbour_offsets[static_cast<std::size_t>(node)]),
                 static_cast<std::size_t>(degree(node)));
  }
};

}  // namespace bermuda::nn
