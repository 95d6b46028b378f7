#pragma once

#include <vector>

#include "bermuda/linear/sparse_matrix.hpp"

namespace bermuda {

/// Explicit features of many graphs: sparse rows whose inner products are the kernel. `norm` is the
/// length of the whole vector, which is longer than its entries say when a graph has features that
/// training never saw (they matter for cosine normalisation, and match nothing).
struct FeatureRows : SparseMatrix {
  std::vector<double> norms;

  /// Ends the row whose entries were appended last; their columns must ascend.
  void end_row(double norm) {
    offsets.push_back(entries.size());
    norms.push_back(norm);
  }
};

/// Divides every row by its norm; rows of norm 0 stay.
void normalise(FeatureRows& rows);

}  // namespace bermuda
