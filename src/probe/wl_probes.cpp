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
              "surroundings of nodes up to depth {0} (what {0} rounds of message passing see)",
              round),
          .beyond = fmt::format("deeper surroundings than {} steps, or how surroundings combine "
                                "(cycles, distances between parts)",
                                round)},
         [&colours = input.colours, round](std::size_t item, Bag& bag) {
           add_colours(colours[item], round, bag);
         }});
  }
}

}  // namespace bermuda
