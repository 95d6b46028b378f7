#pragma once

#include "bermuda/generate/task.hpp"

namespace bermuda {

inline constexpr const char* kCandidateSplit = "all";

/// The data set of so many candidates, but for the candidates. Throws UsageError when the settings
/// do not fit.
DataSet candidates_head(Task& task, std::uint64_t seed, std::size_t count);

}  // namespace bermuda
