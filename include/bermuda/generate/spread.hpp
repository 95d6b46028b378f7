#pragma once

#include "bermuda/core/team.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// The candidates that generate_candidates() makes, made by all ranks of the team, each on its own
/// threads. Ranks hand over lines of the native format, so that rank 0 has only to put them
/// together; it gets all, the others get nothing. Bytes do not depend on the number of ranks or
/// threads.
EncodedDataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                                   const Execution& execution, Team& team);

}  // namespace bermuda
