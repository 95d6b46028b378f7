#pragma once

#include <algorithm>
#include <compare>
#include <optional>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/generate/pairs.hpp"
#include "bermuda/graph/graph.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// Edges a-b and c-d become a-d and c-b: two arcs whose heads change places. The same switch once
/// more undoes it.
struct ArcSwitch {
  std::size_t first;
  std::size_t second;

  /// One of the four that lead to the same graph: either arc may stand first, and both may be
  /// turned round.
  ArcSwitch ordered() const {
    const ArcSwitch one{std::min(first, second), std::max(first, second)};
    return std::min(one, {std::min(first ^ 1, second ^ 1), std::max(first ^ 1, second ^ 1)});
  }
  auto operator<=>(const ArcSwitch&) const = default;
};

/// A graph whose edges are switched so that something stays the same. Which arcs may change heads
/// is decided once, for what decides it is itself kept by every switch:
///   degrees       any two
///   degree-pairs  heads have equal degrees
///   wl-H          tails and heads have equal colours of round H - 1. Then both tails and both
///                 heads see the same colours as before, and every node keeps its colours up to H.
class SwitchGraph {
 public:
  SwitchGraph(const Graph& graph, const Sameness& same);

  /// A random switch that leaves the graph simple; nothing when a few tries found none.
  std::optional<ArcSwitch> draw(RandomStream& random) const;
  /// All of them.
  std::vector<ArcSwitch> all() const;
  /// How many pairs of arcs all() looks at.
  std::size_t pair_count() const;
  void apply(const ArcSwitch& heads);
  Graph graph() const;

 private:
  int tail(std::size_t arc) const { return ends_[arc]; }
  int head(std::size_t arc) const { return ends_[arc ^ 1]; }
  bool is_possible(const ArcSwitch& heads) const;

  std::vector<int> node_labels_;
  std::vector<int> ends_;  // edge i joins ends_[2 i] and ends_[2 i + 1]; arc x starts at ends_[x]
  std::vector<std::vector<std::size_t>> groups_;  // arcs that may change heads with each other
  std::vector<std::size_t> group_of_;             // by arc
  std::vector<std::size_t> movable_;              // arcs of groups with two arcs or more
  BitGraph bits_;
};

}  // namespace bermuda
