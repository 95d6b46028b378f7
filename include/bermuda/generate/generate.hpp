#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/dataset/source.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// More than anybody needs, and less than fills every disk.
inline constexpr std::size_t kMostCandidates = 1'000'000'000;

/// Throws UsageError that names the option unless so many can be made: classes are balanced
/// exactly.
void check_candidates(std::string_view option, std::size_t count);

/// What there is to say about so many candidates (an even number: classes are balanced exactly)
/// before they are made. Throws UsageError when the settings do not fit.
DataSetFigures describe_candidates(const Task& task, std::uint64_t seed, std::size_t count);

/// Makes that many candidates as one split "all", by all ranks of execution.team, each on its own
/// threads. Rank 0 gets them; the others get nothing. Bytes depend neither on ranks nor on threads.
DataSet generate_candidates(const Task& task, std::uint64_t seed, std::size_t count,
                            const Execution& execution);

/// The same candidates for whoever need not hold them: each is made when it is looked at. Every
/// rank has them. The task must live as long.
std::unique_ptr<SampleSource> candidate_source(const Task& task, std::uint64_t seed,
                                               std::size_t count);

/// Candidates of other sizes: their graphs have as many nodes as `sizes` says, which is counted,
/// and none is isomorphic to a graph of `apart_from`, whose forms are kept. They come from streams
/// of their own: none of them is a candidate of the functions above. Throws UsageError for a task
/// whose sizes cannot be set.
std::unique_ptr<SampleSource> sized_candidates(const Task& task, const NodeRange& sizes,
                                               std::uint64_t seed, std::size_t count,
                                               const DataSet& apart_from,
                                               const Execution& execution);

/// The same candidates as lines of the native format, which is what ranks hand over: `take` is
/// called on rank 0, in order and in parts, so that nobody has to hold the whole.
void generate_parts(const Task& task, std::uint64_t seed, std::size_t count,
                    const Execution& execution,
                    const std::function<void(const EncodedSplit&)>& take);

}  // namespace bermuda
