#include "ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "node_index.hpp"

namespace bermuda {
namespace {

// Some minutes of work; ordinary data sets stay far below, dense or star-like ones far above.
constexpr double kMostSubgraphs = 5e9;

std::uint64_t count_of(int value) { return static_cast<std::uint64_t>(value); }

void add_size(const Graph& graph, Bag& bag) {
  bag.add(make_symbol(SymbolKind::kNodes), count_of(graph.node_count()));
  bag.add(make_symbol(SymbolKind::kEdges), count_of(graph.edge_count()));
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

void add_graphlets(const Graph& graph, int largest, Bag& bag) {
  add_size(graph, bag);  // the graphlets of one and two nodes
  for (int k = 3; k <= largest; ++k) {
    const std::vector<std::uint64_t> counts = count_connected_graphlets(graph, k);
    for (std::size_t graphlet = 0; graphlet < counts.size(); ++graphlet) {
      bag.add(make_symbol(SymbolKind::kGraphlet, k, static_cast<int>(graphlet)), counts[graphlet]);
    }
  }
}

// Subtrees of k nodes (stars, paths, forks). Every connected subgraph has a spanning tree, so there
// are at least as many of these as there are graphlets to visit.
double count_subtrees(const Graph& graph, int k) {
  const std::vector<int> degrees = graph.degrees();
  std::vector<double> sums(degrees.size(), 0);
  std::vector<double> squares(degrees.size(), 0);
  double paths4 = 0;
  for (const Edge& edge : graph.edges()) {
    const double a = degrees[at(edge.u)] - 1.0;
    const double b = degrees[at(edge.v)] - 1.0;
    paths4 += a * b;
    sums[at(edge.u)] += b;
    sums[at(edge.v)] += a;
    squares[at(edge.u)] += b * b;
    squares[at(edge.v)] += a * a;
  }
  double total = k == 4 ? paths4 : 0;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const double d = degrees[v];
    if (k == 3) total += d * (d - 1) / 2;
    if (k == 4) total += d * (d - 1) * (d - 2) / 6;
    if (k == 5) {
      total += d * (d - 1) * (d - 2) * (d - 3) / 24;
      total += (sums[v] * sums[v] - squares[v]) / 2;
      total += (d - 1) * (d - 2) / 2 * sums[v];
    }
  }
  return total;
}

double count_subtrees(std::span<const Sample* const> samples, int k) {
  double total = 0;
  for (const Sample* sample : samples) total += count_subtrees(sample->graph, k);
  return total;
}

std::string_view label_words(const LadderInput& input) {
  if (input.node_labels && input.edge_labels) return ", node and edge labels included";
  if (input.node_labels) return ", node labels included";
  if (input.edge_labels) return ", edge labels included";
  return "";
}

}  // namespace

std::vector<Rung> make_ladder(const LadderInput& input, const AuditOptions& options,
                              std::vector<std::string>& notes) {
  std::vector<Rung> ladder;
  const std::span<const Sample* const> samples = input.samples;
  ladder.push_back({"size", "the number of nodes and of edges",
                    [=](std::size_t item, Bag& bag) { add_size(samples[item]->graph, bag); }});
  ladder.push_back(
      {"degrees", "size, and how many nodes have each degree", [=](std::size_t item, Bag& bag) {
         add_size(samples[item]->graph, bag);
         add_degrees(samples[item]->graph, bag);
       }});
  ladder.push_back({"degree-pairs", "degrees, and how many edges join each pair of degrees",
                    [=](std::size_t item, Bag& bag) {
                      add_size(samples[item]->graph, bag);
                      add_degrees(samples[item]->graph, bag);
                      add_degree_pairs(samples[item]->graph, bag);
                    }});
  const auto& colours = input.colours;
  if (input.node_labels) {
    ladder.push_back(
        {"node-labels", "how many nodes have each label; no edges",
         [&colours](std::size_t item, Bag& bag) { add_colours(colours[item], 0, bag); }});
  }
  for (int round = 1; round <= options.wl_rounds; ++round) {
    ladder.push_back(
        {fmt::format("wl-{}", round),
         fmt::format("how many nodes have each surrounding up to {} step{} deep (WL colours){}",
                     round, round == 1 ? "" : "s", label_words(input)),
         [&colours, round](std::size_t item, Bag& bag) {
           add_colours(colours[item], round, bag);
         }});
  }
  for (int k = 3; k <= options.largest_graphlet; ++k) {
    const double subtrees = count_subtrees(samples, k);
    if (subtrees > kMostSubgraphs) {
      notes.push_back(fmt::format(
          "graphlets of {} nodes are left out: up to {:.0e} subgraphs to visit", k, subtrees));
      break;
    }
    ladder.push_back(
        {fmt::format("graphlets-{}", k),
         fmt::format("how often each connected subgraph of up to {} nodes occurs{}", k,
                     input.node_labels || input.edge_labels ? "; no labels" : ""),
         [=](std::size_t item, Bag& bag) { add_graphlets(samples[item]->graph, k, bag); }});
  }
  return ladder;
}

Rung make_node_index_rung(const LadderInput& input, bool shuffled, std::uint64_t seed) {
  const std::span<const Sample* const> samples = input.samples;
  const auto& colours = input.colours;
  const bool labels = input.node_labels;
  return {shuffled ? "node-index shuffled" : "node-index",
          fmt::format("degree pairs{0}; degrees{1} and edges by place in the file; distances among "
                      "the first and among the last {2} nodes",
                      labels ? " and node labels" : "", labels ? ", labels" : "", kFileEnd),
          [=, &colours](std::size_t item, Bag& bag) {
            const Graph& graph = samples[item]->graph;
            add_size(graph, bag);
            add_degrees(graph, bag);
            add_degree_pairs(graph, bag);
            if (labels) add_colours(colours[item], 0, bag);
            const std::vector<int> places = shuffled
                                                ? shuffled_order(graph.node_count(), seed, item)
                                                : file_order(graph.node_count());
            const std::span<const int> node_colours =
                labels ? std::span<const int>(colours[item][0]) : std::span<const int>();
            add_node_places(graph, node_colours, places, bag);
          }};
}

SparseMatrix make_features(const Rung& rung, std::size_t count, const Execution& execution) {
  constexpr std::size_t kChunk = 64;
  std::vector<Bag> bags(count);
  parallel_for(execution, count, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
      rung.fill(item, bags[item]);
      bags[item].close();
    }
  });
  return encode(bags);
}

}  // namespace bermuda
