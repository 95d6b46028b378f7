#include "bermuda/kernel/feature_rows.hpp"

namespace bermuda {

void normalise(FeatureRows& rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.norms[i] <= 0) continue;
    for (std::size_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      rows.entries[e].value /= rows.norms[i];
    }
    rows.norms[i] = 1;
  }
}

}  // namespace bermuda
