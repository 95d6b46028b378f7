#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// In what the two graphs of a pair agree. Each is stronger than the one before, but that wl-1 is
/// the same as degrees: after one round a node's colour is its degree.
struct Sameness {
  enum class Kind {
    kNothing,      ///< "none"
    kDegrees,      ///< "degrees": the degree sequence
    kDegreePairs,  ///< "degree-pairs": also how many edges join degrees i and j
    kColours,      ///< "wl-H": how many nodes have each colour after H rounds of Weisfeiler-Leman
  };
  static constexpr int kMostRounds = 99;

  Kind kind = Kind::kDegrees;
  int rounds = 0;  ///< H of kColours

  /// Throws UsageError for anything but such a text.
  static Sameness parse(std::string_view text);
  std::string text() const;
  bool operator==(const Sameness&) const = default;
};

inline constexpr std::size_t kMostPairs = 100'000'000;

/// Twins: two graphs of different class that agree in what is named, so that whatever is a function
/// of that is right about exactly one of them. Split "all" has 2 * count graphs, twins one after
/// the other, ids ending in -a and -b; which class stands first is random, and so are the numbers
/// of all nodes. Both carry their witness. Pair i is a pure function of (settings, seed, i).
///
/// A graph of the task's generator is changed by as few switches of two edges (a-b, c-d become a-d,
/// c-b) as chance finds, each of which keeps what must stay the same, until the task gives it the
/// other class. Where that seldom works, the start is a lift of a smaller graph (twin_maker.hpp).
/// Throws UsageError when no twins are found.
DataSet make_pairs(const Task& task, const Sameness& same, std::uint64_t seed, std::size_t count,
                   const Execution& execution);

}  // namespace bermuda
