#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "bermuda/core/execution.hpp"

namespace bermuda {

/// How many items a rank is given at a time for each of its threads: many at first, few near the
/// end, so that all ranks end together.
struct Portion {
  std::size_t least = 1;
  std::size_t most = 1;
};

/// What a rank makes of items begin..end-1, on execution.threads threads if it likes.
using MakePart = std::function<std::string(std::size_t begin, std::size_t end)>;
/// Called on rank 0 for every part, its own too, in the order of the items.
using TakePart = std::function<void(std::size_t begin, std::size_t end, std::string part)>;

/// Shares out items 0..count-1 over the ranks of execution.team, to each as it gets on; all ranks
/// call it. Rank 0 works too and hands out between its own portions, so a portion should take
/// milliseconds and not seconds. What is made must not depend on how the items are cut into
/// portions.
void share_out(const Execution& execution, std::size_t count, Portion portion, const MakePart& make,
               const TakePart& take);

}  // namespace bermuda
