#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// A sparse matrix, row by row: columns of a row ascend.
struct SparseMatrix {
  struct Entry {
    int column;
    double value;
    bool operator==(const Entry&) const = default;
  };
  std::vector<std::size_t> offsets{0};
  std::vector<Entry> entries;
  int columns = 0;

  std::size_t rows() const { return offsets.size() - 1; }
  std::span<const Entry> row(std::size_t index) const {
    return std::span(entries).subspan(offsets[index], offsets[index + 1] - offsets[index]);
  }
  /// Appends a row; sorts it by column and adds up entries of one column.
  void add_row(std::vector<Entry> row);
};

/// The undermanned feature templates of the paper, section 2.1, for each graph: the degree d of a
/// node, the degree pair (d_u, d_v) of an edge's ends, the number of nodes, the number of edges.
/// The first two stand twice: as presence, and as presence with its count ("three nodes of degree
/// 5" is one feature). All values are 1. Nodes without edges count as nodes of degree 0.
/// Columns are numbered by template, then by degrees and count. O(nodes + edges) a graph.
SparseMatrix undermanned_features(std::span<const Sample* const> samples,
                                  const Execution& execution);

}  // namespace bermuda
