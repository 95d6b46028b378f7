#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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

  /// Throws UsageError that names the option for anything but such a text; "none" only where that
  /// may be.
  static Sameness parse(std::string_view option, std::string_view text, bool may_be_none = false);
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

struct NearestOptions {
  Sameness same{Sameness::Kind::kNothing, 0};
  /// Of switches; where nothing must stay the same, of edges that are added or taken away.
  int most_changes = 2;
  /// How many changed graphs to ask about before an original is given up.
  std::size_t most_graphs = 200'000;
};

struct NearestReport {
  std::map<int, std::size_t> found;  ///< pairs by the fewest changes that flip the class
  std::size_t farther = 0;           ///< originals that no `most_changes` changes flip
  std::size_t given_up = 0;          ///< originals with too many graphs to ask about
};

/// Pairs of the data set's graphs, each with a nearest twin: one of those that the fewest changes
/// lead to, at random. Every smaller number of changes was tried in full. Form and provenance are
/// as make_pairs() has them; "pairs" also says which graph is the original and how many edges
/// differ. Originals without a twin are left out; throws UsageError when all are, or when the task
/// does not give a graph the class it has.
DataSet nearest_pairs(const Task& task, const DataSet& data, const NearestOptions& options,
                      std::uint64_t seed, NearestReport& report, const Execution& execution);

}  // namespace bermuda
