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

/// The same for graphs of any kind, and quicker: canonical forms are made only of graphs that
/// colours (three rounds of Weisfeiler-Leman, hashed) do not tell apart. Where such a form cannot
/// be found, all graphs of those colours count as isomorphic. Never throws CanonicalFormError.
std::vector<std::size_t> twin_groups(std::span<const Sample* const> samples,
                                     const Execution& execution);

/// How many graphs have an isomorphic twin in an earlier split. class_of runs over all splits.
std::size_t count_isomorphs_across(const std::vector<Split>& splits,
                                   std::span<const std::size_t> class_of);

/// Drops the graphs of `data` that are isomorphic to one of `other`; returns how many those were.
std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution);

}  // namespace bermuda
