#pragma once

#include <cstddef>
#include <cstdint>

#include "bermuda/core/execution.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/probe/filter.hpp"

namespace bermuda {

/// Size extrapolation: gives filtered data of a task a test split of graphs with other numbers of
/// nodes, filtered as the rest. Their candidates, as many, follow from (settings, seed, sizes) and
/// are isomorphic to no graph of train and valid. All ranks of execution.team call it; rank 0 gives
/// the data and gets the report.
FilterReport test_on_sizes(DataSet& data, const Task& task, const NodeRange& sizes,
                           std::uint64_t seed, std::size_t candidates, const FilterOptions& filter,
                           const Execution& execution);

}  // namespace bermuda
