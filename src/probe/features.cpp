#include "bermuda/probe/features.hpp"

#include "collect.hpp"

namespace bermuda {

PresenceRows undermanned_features(std::span<const Sample* const> samples,
                                  const Execution& execution) {
  Execution alone = execution;
  alone.team = nullptr;
  const MergedFeatures features = collect_features(source_of(samples).get(), alone);
  PresenceRows rows;
  rows.columns = features.rows.columns;
  rows.offsets.reserve(samples.size() + 1);
  for (const std::uint32_t row : features.row_of) rows.add_row(features.rows.row(row));
  return rows;
}

}  // namespace bermuda
