#include <fmt/format.h>

#include "bermuda/graph/graphlets.hpp"
#include "counts.hpp"
#include "ladder.hpp"

namespace bermuda {
namespace {

// Some minutes of work; ordinary data sets stay far below, dense or star-like ones far above.
constexpr double kMostSubgraphs = 5e9;

void add_graphlets(const Graph& graph, int largest, Bag& bag, StopPoll stop) {
  add_size(graph, bag);  // the graphlets of one and two nodes
  for (int k = 3; k <= largest; ++k) {
    const std::vector<std::uint64_t> counts = count_connected_graphlets(graph, k, stop);
    for (std::size_t graphlet = 0; graphlet < counts.size(); ++graphlet) {
      bag.add(make_symbol(SymbolKind::kGraphlet, k, static_cast<int>(graphlet)), counts[graphlet]);
    }
  }
}

double count_all_subtrees(std::span<const Sample* const> samples, int k) {
  double total = 0;
  for (const Sample* sample : samples) total += count_subtrees(sample->graph, k);
  return total;
}

}  // namespace

void add_graphlet_rungs(const LadderInput& input, Ladder& ladder) {
  const std::span<const Sample* const> samples = input.samples;
  for (int k = 3; k <= input.options.largest_graphlet; ++k) {
    const double subtrees = count_all_subtrees(samples, k);
    if (subtrees > kMostSubgraphs) {
      ladder.notes.push_back(fmt::format(
          "graphlets of {} nodes are left out: up to {:.0e} subgraphs to visit", k, subtrees));
      break;
    }
    ladder.rungs.push_back(
        {{.name = fmt::format("graphlets-{}", k),
          .description =
              fmt::format("how often each connected subgraph of up to {} nodes occurs{}", k,
                          input.node_labels || input.edge_labels ? "; no labels" : ""),
          .kind = ProbeKind::kStructure,
          .subject = "small subgraphs",
          .sees = fmt::format("connected subgraphs of up to {} nodes", k),
          .beyond =
              fmt::format("larger subgraphs than {} nodes, or how far apart such parts lie", k)},
         [=, stop = input.stop](std::size_t item, Bag& bag) {
           add_graphlets(samples[item]->graph, k, bag, stop);
         },
         {k == 3 ? "size" : fmt::format("graphlets-{}", k - 1)}});
  }
}

}  // namespace bermuda
