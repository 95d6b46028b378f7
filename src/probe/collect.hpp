#pragma once

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/source.hpp"
#include "feature_table.hpp"

namespace bermuda {

/// The features of all samples, which are looked at some at a time. Shared by the ranks of
/// execution.team when every rank has the source; otherwise it is null on all but rank 0. Rank 0
/// gets the result, the others get nothing.
MergedFeatures collect_features(const SampleSource* source, const Execution& execution);

}  // namespace bermuda
