#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"

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

/// gram[i * right.rows() + j] = <left_i, right_j>. Time in proportion to the pairs of rows that
/// share a column.
std::vector<double> gram_matrix(const SparseMatrix& left, const SparseMatrix& right,
                                StopPoll stop = {});

}  // namespace bermuda
