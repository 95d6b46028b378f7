#pragma once

#include <map>
#include <string>
#include <vector>

#include "bermuda/bench/store.hpp"

namespace bermuda {

/// Those of a grid's places that no longer belong into its table, now that `runs` were planned: of
/// cells that it has no longer, of folds that neither it nor the call names and that were not run,
/// and whose run is not what the grid asks for today (other options, data or version), which would
/// be in one mean with those that are. Places that are not asked for now (--folds, --only) stay
/// otherwise. `whole` is the grid without --only, `before` the configuration as it was kept, empty
/// for none, and `known` are runs by their number.
std::vector<GridEntry> stale_places(const std::vector<GridEntry>& places,
                                    const std::map<std::int64_t, RunRecord>& known,
                                    const Grid& whole, const std::string& before,
                                    const std::vector<PlannedRun>& runs);

}  // namespace bermuda
