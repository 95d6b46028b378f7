#include "bermuda/bench/sized_test.hpp"

#include <algorithm>

#include "bermuda/core/random.hpp"
#include "bermuda/generate/generate.hpp"

namespace bermuda {

FilterReport test_on_sizes(DataSet& data, const Task& task, const NodeRange& sizes,
                           std::uint64_t seed, std::size_t candidates, const FilterOptions& filter,
                           const Execution& execution) {
  if (!execution.in_charge()) return replace_test(data, nullptr, filter, seed, {}, execution);
  DataSet learnt_from = data;
  std::erase_if(learnt_from.splits, [](const Split& split) { return split.name == "test"; });
  // Each range has candidates of its own.
  const auto item =
      static_cast<std::uint64_t>(sizes.from) << 32 | static_cast<std::uint32_t>(sizes.to);
  const std::uint64_t own_seed = RandomStream(seed, Purpose::kOtherSizes, item).next_u64();
  const auto source = sized_candidates(task, sizes, own_seed, candidates, learnt_from, execution);
  return replace_test(data, source.get(), filter, own_seed, {{"nodes", sizes.text()}}, execution);
}

}  // namespace bermuda
