#include <fmt/format.h>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "counts.hpp"
#include "ladder.hpp"

namespace bermuda {
namespace {

// Some minutes of work; ordinary data sets stay far below, dense or star-like ones far above.
constexpr double kMostSubgraphs = 5e9;

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
    const auto u = at(edge.u);
    const auto v = at(edge.v);
    const double a = degrees[u] - 1.0;
    const double b = degrees[v] - 1.0;
    paths4 += a * b;
    sums[u] += b;
    sums[v] += a;
    squares[u] += b * b;
    squares[v] += a * a;
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

}  // namespace

void add_graphlet_rungs(const LadderInput& input, Ladder& ladder) {
  const std::span<const Sample* const> samples = input.samples;
  for (int k = 3; k <= input.options.largest_graphlet; ++k) {
    const double subtrees = count_subtrees(samples, k);
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
         [=](std::size_t item, Bag& bag) { add_graphlets(samples[item]->graph, k, bag); }});
  }
}

}  // namespace bermuda
