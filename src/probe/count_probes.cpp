#include <algorithm>

#include "bermuda/core/index.hpp"
#include "counts.hpp"
#include "ladder.hpp"

namespace bermuda {

void add_size(const Graph& graph, Bag& bag) {
  bag.add(make_symbol(SymbolKind::kNodes), static_cast<std::uint64_t>(graph.node_count()));
  bag.add(make_symbol(SymbolKind::kEdges), static_cast<std::uint64_t>(graph.edge_count()));
}

void add_degrees(const Graph& graph, Bag& bag) {
  for (const int degree : graph.degrees()) bag.add(make_symbol(SymbolKind::kDegree, degree));
}

void add_degree_pairs(const Graph& graph, Bag& bag) {
  const std::vector<int> degrees = graph.degrees();
  for (const Edge& edge : graph.edges()) {
    const auto [low, high] = std::minmax(degrees[at(edge.u)], degrees[at(edge.v)]);
    bag.add(make_symbol(SymbolKind::kDegreePair, low, high));
  }
}

void add_colours(const std::vector<std::vector<int>>& rounds, int last_round, Bag& bag) {
  for (int round = 0; round <= last_round; ++round) {
    for (const int colour : rounds[at(round)]) {
      bag.add(make_symbol(SymbolKind::kColour, round, colour));
    }
  }
}

void add_count_rungs(const LadderInput& input, Ladder& ladder) {
  const std::span<const Sample* const> samples = input.samples;
  ladder.rungs.push_back(
      {{.name = "size",
        .description = "the number of nodes and of edges",
        .kind = ProbeKind::kCounts,
        .subject = "sizes",
        .sees = "the numbers of nodes and edges"},
       [=](std::size_t item, Bag& bag) { add_size(samples[item]->graph, bag); }});
  ladder.rungs.push_back({{.name = "degrees",
                           .description = "size, and how many nodes have each degree",
                           .kind = ProbeKind::kCounts,
                           .subject = "degrees",
                           .sees = "counts of degrees"},
                          [=](std::size_t item, Bag& bag) {
                            add_size(samples[item]->graph, bag);
                            add_degrees(samples[item]->graph, bag);
                          },
                          {"size"}});
  ladder.rungs.push_back({{.name = "degree-pairs",
                           .description = "degrees, and how many edges join each pair of degrees",
                           .kind = ProbeKind::kCounts,
                           .subject = "degree pairs",
                           .sees = "counts of degree pairs"},
                          [=](std::size_t item, Bag& bag) {
                            add_size(samples[item]->graph, bag);
                            add_degrees(samples[item]->graph, bag);
                            add_degree_pairs(samples[item]->graph, bag);
                          },
                          {"degrees"}});
  if (!input.node_labels) return;
  ladder.rungs.push_back({{.name = "node-labels",
                           .description = "how many nodes have each label; no edges",
                           .kind = ProbeKind::kCounts,
                           .subject = "node labels",
                           .sees = "counts of node labels"},
                          [&colours = input.colours](std::size_t item, Bag& bag) {
                            add_colours(colours[item], 0, bag);
                          }});
}

}  // namespace bermuda
