#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// Numbers isomorphism classes in order of first appearance: equal number = isomorphic. Canonical
/// forms are made on all threads. Throws CanonicalFormError that names the graph.
std::vector<std::size_t> isomorphism_classes(std::span<const Sample* const> samples,
                                             const Execution& execution);

/// How many graphs have an isomorphic twin in an earlier split. class_of runs over all splits.
std::size_t count_isomorphs_across(const std::vector<Split>& splits,
                                   std::span<const std::size_t> class_of);

/// Drops the graphs of `data` that are isomorphic to one of `other`; returns how many those were.
std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution);

}  // namespace bermuda
