#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// Whether twins follow each other in this data set (`bermuda pairs`): its provenance says so.
bool has_pairs(const DataSet& data);

/// "TR0000042" of "TR0000042-a" and "TR0000042-b"; empty for other ids.
std::string_view pair_of(std::string_view id);

/// Whether their ids are those of the first and the second twin of a pair.
bool are_twins(const Sample& first, const Sample& second);

/// Places of the twins that follow each other in these samples, -a and then -b.
std::vector<std::pair<std::size_t, std::size_t>> find_pairs(std::span<const Sample* const> samples);

/// Numbers by which folds keep twins together: equal numbers belong together. Twins that do not
/// follow each other count too, for a split may be in any order.
std::vector<std::size_t> pair_groups(std::span<const Sample* const> samples);

/// Groups in which whatever is in one group of `first` or of `second` is together.
std::vector<std::size_t> merged_groups(std::span<const std::size_t> first,
                                       std::span<const std::size_t> second);

}  // namespace bermuda
