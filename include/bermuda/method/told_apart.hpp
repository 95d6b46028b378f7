#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/dataset/graph_pairs.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

struct ToldApartOptions {
  int weights = 4;        ///< networks with random weights
  int draws = 1024;       ///< of what hangs on chance or on the numbering of the nodes
  int most_nodes = 1000;  ///< pairs with larger graphs are not asked
  std::uint64_t seed = 1;
};

enum class Telling : char { kNotAsked, kSame, kDifferent };

/// Which pairs a method could tell apart, and whether it takes a graph for another when only its
/// nodes are renumbered.
struct ToldApart {
  std::string how;  ///< Views::how
  /// By a test of draws: what it finds is there, and what it does not may need more draws.
  bool at_least = false;
  std::vector<Telling> pairs;    ///< of each pair
  std::vector<Telling> control;  ///< the first graph of each against itself, renumbered
  /// Rows only: the largest difference that counts as none, over pairs and control, and the
  /// smallest that counts. Between them lies the tolerance.
  double largest_none = 0;
  std::optional<double> smallest_difference;
};

/// Nothing when the method cannot show what it sees (Method::views()).
std::optional<ToldApart> told_apart(Method& method, const GraphPairs& pairs,
                                    const ToldApartOptions& options, const Execution& execution);

/// How far the classes are a function of what a method sees.
struct SeenClasses {
  std::string how;
  std::size_t graphs = 0;
  std::size_t not_asked = 0;     ///< of them: too large
  std::size_t views = 0;         ///< different ones
  std::size_t apart = 0;         ///< graphs whose view no graph of another class has
  std::size_t right = 0;         ///< of the best function of the view on these very graphs
  double best_accuracy() const;  ///< of those asked
};

/// Nothing when the method cannot show what it sees, or when that hangs on chance or numbering.
std::optional<SeenClasses> seen_classes(Method& method, Samples samples,
                                        const ToldApartOptions& options,
                                        const Execution& execution);

}  // namespace bermuda
