#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bags.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/probe/audit.hpp"

namespace bermuda {

/// What the probes look at; colours[item][round][node] are WL colours.
struct LadderInput {
  std::span<const Sample* const> samples;
  const std::vector<std::vector<std::vector<int>>>& colours;
  bool node_labels = false;
  bool edge_labels = false;
};

/// One probe: its name, what it sees in words, and how it fills the bag of a graph.
struct Rung {
  std::string name;
  std::string description;
  std::function<void(std::size_t item, Bag& bag)> fill;
};

/// The order-free probes, from weak to strong. A graphlet probe that would have to visit billions
/// of subgraphs is left out, and a note says so.
std::vector<Rung> make_ladder(const LadderInput& input, const AuditOptions& options,
                              std::vector<std::string>& notes);

/// The probe that sees where in the file a node stands; or, with shuffled set, the same probe on
/// graphs whose nodes were renumbered at random.
Rung make_node_index_rung(const LadderInput& input, bool shuffled, std::uint64_t seed);

/// The features of one rung, a row for each of `count` graphs.
SparseMatrix make_features(const Rung& rung, std::size_t count, const Execution& execution);

}  // namespace bermuda
