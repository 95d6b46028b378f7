#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bags.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/probe/audit.hpp"

namespace bermuda {

/// What the probes look at; colours[item][round][node] are WL colours.
struct LadderInput {
  std::span<const Sample* const> samples;
  const std::vector<std::vector<std::vector<int>>>& colours;
  const AuditOptions& options;
  bool node_labels = false;
  bool edge_labels = false;
  bool node_attributes = false;
  StopPoll stop = {};
};

/// One probe: what it is in words, and how it fills the bag of a graph.
struct Rung : ProbeInfo {
  std::function<void(std::size_t item, Bag& bag)> fill;
  /// Rungs before this one of which everything follows from what this one sees.
  std::vector<std::string> contains = {};
};

struct Ladder {
  std::vector<Rung> rungs;         ///< from weak to strong
  std::vector<std::string> notes;  ///< on rungs that are left out
};

/// The probes that do not see node order: those of add_count_rungs() and so on, one file each.
Ladder make_ladder(const LadderInput& input);

void add_count_rungs(const LadderInput& input, Ladder& ladder);
/// Where nodes have attributes: what these sum up to over a graph.
void add_attribute_rungs(const LadderInput& input, Ladder& ladder);
void add_wl_rungs(const LadderInput& input, Ladder& ladder);
/// A graphlet probe that would have to visit billions of subgraphs is left out, and a note says so.
void add_graphlet_rungs(const LadderInput& input, Ladder& ladder);

/// The probe that sees where in the file a node stands; or, with shuffled set, the same probe on
/// graphs whose nodes were renumbered at random.
Rung make_node_index_rung(const LadderInput& input, bool shuffled);
/// Of labelled data, what that probe sees without the places: part of no ladder, but contained.
std::optional<Rung> make_placeless_rung(const LadderInput& input);

/// What a rung counts in each of `count` graphs.
std::vector<Bag> fill_bags(const Rung& rung, std::size_t count, const Execution& execution);
/// The features of one rung, a row for each of `count` graphs.
Encoding make_features(const Rung& rung, std::size_t count, const Execution& execution);

}  // namespace bermuda
