#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/source.hpp"
#include "bermuda/probe/filter.hpp"

namespace bermuda {

inline constexpr int kSplits = 3;  // train, valid, test

/// Which candidates go to which split.
struct Selection {
  std::vector<std::uint32_t> chosen[kSplits];  // indices of candidates, in the order to be written
  std::vector<std::string> refills;
  std::size_t isomorphs_avoided = 0;
};

/// Draws from the candidates, at random but reproducibly, until every (split, class) has its share
/// of every hit bucket. A bucket that runs short hands what is missing to the next.
/// An isomorphism class stays in the split its first member was drawn for.
Selection select_candidates(const SampleSource& source, const HitCounts& counts,
                            const FilterOptions& options, std::uint64_t seed,
                            const Execution& execution);

}  // namespace bermuda
