#pragma once

#include "bermuda/core/team.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// What there is to say about so many candidates before they are made. Throws UsageError when the
/// settings do not fit.
DataSetFigures describe_candidates(Task& task, std::uint64_t seed, std::size_t count);

/// The candidates that generate_candidates() makes, made by all ranks of the team, each on its own
/// threads. Ranks hand over lines of the native format, so that rank 0 has only to put them
/// together: `take` gets them there, in order and in parts. Bytes do not depend on the number of
/// ranks or threads.
void generate_parts(Task& task, std::uint64_t seed, std::size_t count, const Execution& execution,
                    Team& team, const std::function<void(const EncodedSplit&)>& take);

/// All parts together, on rank 0; the others get nothing.
EncodedDataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                                   const Execution& execution, Team& team);

}  // namespace bermuda
