#include "bermuda/linear/sparse_matrix.hpp"

#include <algorithm>

namespace bermuda {

void SparseMatrix::add_row(std::vector<Entry> row) {
  std::sort(row.begin(), row.end(),
            [](const Entry& a, const Entry& b) { return a.column < b.column; });
  for (const Entry& entry : row) {
    if (entries.size() > offsets.back() && entries.back().column == entry.column) {
      entries.back().value += entry.value;
    } else {
      entries.push_back(entry);
    }
    columns = std::max(columns, entry.column + 1);
  }
  offsets.push_back(entries.size());
}

// Column lists of `right` turn each row of the product into a walk over the columns that the left
// row has: two rows that share no column cost nothing.
std::vector<double> gram_matrix(const SparseMatrix& left, const SparseMatrix& right,
                                StopPoll stop) {
  struct Cell {
    int row;
    double value;
  };
  const auto columns = static_cast<std::size_t>(std::max(left.columns, right.columns));
  std::vector<std::size_t> starts(columns + 1, 0);
  for (const auto& entry : right.entries) ++starts[static_cast<std::size_t>(entry.column) + 1];
  for (std::size_t c = 0; c < columns; ++c) starts[c + 1] += starts[c];
  std::vector<Cell> cells(right.entries.size());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t row = 0; row < right.rows(); ++row) {
    for (const auto& entry : right.row(row)) {
      cells[next[static_cast<std::size_t>(entry.column)]++] = {static_cast<int>(row), entry.value};
    }
  }
  const std::size_t width = right.rows();
  std::vector<double> gram(left.rows() * width, 0.0);
  for (std::size_t row = 0; row < left.rows(); ++row) {
    double* out = gram.data() + row * width;
    for (const auto& entry : left.row(row)) {
      const auto column = static_cast<std::size_t>(entry.column);
      stop(starts[column + 1] - starts[column]);
      for (std::size_t c = starts[column]; c < starts[column + 1]; ++c) {
        out[cells[c].row] += entry.value * cells[c].value;
      }
    }
  }
  return gram;
}

}  // namespace bermuda
