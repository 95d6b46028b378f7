#include <fmt/format.h>

#include "counts.hpp"
#include "ladder.hpp"

namespace bermuda {
namespace {

std::string_view label_words(const LadderInput& input) {
  if (input.node_labels && input.edge_labels) return ", node and edge labels included";
  if (input.node_labels) return ", node labels included";
  if (input.edge_labels) return ", edge labels included";
  return "";
}

/// Colours after a round tell the degrees, after two the degrees of neighbours.
std::vector<std::string> contained(const LadderInput& input, int round) {
  if (round > 1) return {fmt::format("wl-{}", round - 1), "degree-pairs"};
  if (input.node_labels) return {"degrees", "node-labels"};
  return {"degrees"};
}

}  // namespace

void add_wl_rungs(const LadderInput& input, Ladder& ladder) {
  for (int round = 1; round <= input.options.wl_rounds; ++round) {
    ladder.rungs.push_back(
        {{.name = fmt::format("wl-{}", round),
          .description = fmt::format(
              "how many nodes have each surrounding up to {} step{} deep (WL colours){}", round,
              round == 1 ? "" : "s", label_words(input)),
          .kind = ProbeKind::kStructure,
          .subject = "WL colours",
          .sees = fmt::format(
              "surroundings of nodes up to depth {0} (what {0} round{1} of message passing see{2})",
              round, round == 1 ? "" : "s", round == 1 ? "s" : ""),
          .beyond = fmt::format("deeper surroundings than {} step{}, or how surroundings combine "
                                "(cycles, distances between parts)",
                                round, round == 1 ? "" : "s")},
         [&colours = input.colours, round](std::size_t item, Bag& bag) {
           add_colours(colours[item], round, bag);
         },
         contained(input, round)});
  }
}

}  // namespace bermuda
