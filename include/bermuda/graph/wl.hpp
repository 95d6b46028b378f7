#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// Weisfeiler-Leman colour refinement (Shervashidze et al. 2011) over many graphs with one shared
/// dictionary, so that equal colours mean equal rooted trees across graphs.
///
/// Round 0 colours are the node labels (one constant colour where a graph has none). The colour
/// after round r + 1 names the pair (own colour, multiset of the neighbours' colours) of round r;
/// with use_edge_labels the multiset is one of (edge label, colour) pairs. Names are given in order
/// of first appearance, exactly (no hash is trusted), so the result is deterministic.
class WlColouring {
 public:
  struct Options {
    int rounds = 3;
    bool use_edge_labels = false;
  };
  static constexpr int kUnknown = -1;

  explicit WlColouring(Options options);
  ~WlColouring();
  WlColouring(WlColouring&&) noexcept;
  WlColouring& operator=(WlColouring&&) noexcept;

  /// colours[r][v] for r = 0..rounds; new colours enter the dictionary.
  std::vector<std::vector<int>> learn(const Graph& graph, StopPoll stop = {});
  /// The same with a frozen dictionary: a colour never learned is kUnknown, and so is everything
  /// that depends on it.
  std::vector<std::vector<int>> look_up(const Graph& graph, StopPoll stop = {}) const;

  /// How many colours round r has so far.
  int colour_count(int round) const;
  const Options& options() const { return options_; }
  int rounds() const { return options_.rounds; }

  /// What one round's colours stand for, to be stored and brought back: colour c is named by
  /// words[starts[c] .. starts[c + 1]).
  struct Table {
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> starts;
  };
  Table table(int round) const;
  /// Throws UsageError when the tables do not describe a dictionary.
  static WlColouring from_tables(Options options, std::span<const Table> tables);

 private:
  struct Dictionary;
  Options options_;
  std::unique_ptr<Dictionary> dictionary_;
};

}  // namespace bermuda
