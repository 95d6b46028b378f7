#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "telling.hpp"

namespace bermuda {
namespace {

constexpr int kMostDrawn = 48;  // nodes; larger pictures show nothing on a card

struct SymbolParts {
  SymbolKind kind;
  int a;
  int b;
};

SymbolParts parts_of(Symbol symbol) {
  const auto detail = [&](int shift) {
    return static_cast<int>(symbol >> shift & static_cast<Symbol>(kLargestDetail));
  };
  return {static_cast<SymbolKind>(symbol >> (kBinBits + 2 * kDetailBits)),
          detail(kBinBits + kDetailBits), detail(kBinBits)};
}

Graph graphlet(int k, int number) {
  const std::uint32_t pattern = GraphletClasses::of_size(k).representative(number);
  std::vector<Edge> edges;
  int bit = 0;
  for (int v = 1; v < k; ++v) {
    for (int u = 0; u < v; ++u) {
      if ((pattern >> bit++ & 1U) != 0) edges.push_back({u, v});
    }
  }
  return Graph(k, std::move(edges));
}

/// Nodes 0 and, where there are two ends, 1, each with as many neighbours as its degree says.
Graph with_neighbours(int degree, int other = -1) {
  std::vector<Edge> edges;
  int nodes = other < 0 ? 1 : 2;
  if (other >= 0) edges.push_back({0, 1});
  for (int i = other < 0 ? 0 : 1; i < degree; ++i) edges.push_back({0, nodes++});
  for (int i = 1; i < other; ++i) edges.push_back({1, nodes++});
  return Graph(nodes, std::move(edges));
}

/// A node and what it sees within so many steps when it never steps back: all that WL colours
/// tell of it (the universal cover, Krebs and Verbitsky 2015). Empty where it is too large.
Graph surrounding(const Graph& graph, int root, int depth) {
  const Adjacency adjacency(graph);
  struct Seen {
    int node;
    int from;
    int depth;
  };
  std::vector<Seen> seen{{root, -1, 0}};
  std::vector<Edge> edges;
  for (std::size_t next = 0; next < seen.size(); ++next) {
    const Seen here = seen[next];
    if (here.depth == depth) continue;
    for (const int neighbour : adjacency.of(here.node)) {
      if (neighbour == here.from) continue;
      edges.push_back({static_cast<int>(next), static_cast<int>(seen.size())});
      seen.push_back({neighbour, here.node, here.depth + 1});
      if (seen.size() > kMostDrawn) return {};
    }
  }
  std::vector<int> labels;
  if (graph.has_node_labels()) {
    for (const Seen& one : seen) labels.push_back(graph.node_labels()[at(one.node)]);
  }
  return Graph(static_cast<int>(seen.size()), std::move(edges), std::move(labels));
}

/// " over edges 1, 1, 2": where edges have labels, colours see them and a picture does not.
std::string edge_words(const Graph& graph, int node) {
  if (!graph.has_edge_labels()) return "";
  const Adjacency adjacency(graph);
  std::vector<int> labels;
  for (const int edge : adjacency.edges_of(node)) labels.push_back(graph.edge_labels()[at(edge)]);
  std::ranges::sort(labels);
  if (labels.empty()) return "";
  return fmt::format(", over edges {}", fmt::join(labels, ", "));
}

void describe_colour(const LadderInput& input, int round, int colour, TellingFeature& feature) {
  for (std::size_t item = 0; item < input.samples.size(); ++item) {
    const std::vector<int>& colours = input.colours[item][at(round)];
    for (std::size_t v = 0; v < colours.size(); ++v) {
      if (colours[v] != colour) continue;
      const Graph& graph = input.samples[item]->graph;
      const std::string label =
          graph.has_node_labels() ? fmt::format(" of label {}", graph.node_labels()[v]) : "";
      if (round == 0) {
        feature.words = "nodes" + label;
      } else {
        feature.words =
            fmt::format("nodes{} with these surroundings up to {} step{}{}", label, round,
                        round == 1 ? "" : "s", edge_words(graph, static_cast<int>(v)));
      }
      feature.picture = surrounding(graph, static_cast<int>(v), round);
      if (feature.picture.node_count() > 0) feature.marked.nodes = {0};
      if (feature.picture.node_count() == 0) {
        feature.words = fmt::format("nodes{} with a surrounding up to {} steps too large to draw",
                                    label, round);
      }
      return;
    }
  }
}

}  // namespace

void describe_symbol(const LadderInput& input, Symbol symbol, TellingFeature& feature) {
  constexpr std::array kFigures = {"sum", "mean", "least value", "largest value"};
  const auto [kind, a, b] = parts_of(symbol);
  switch (kind) {
    case SymbolKind::kNodes:
      feature.words = "number of nodes";
      break;
    case SymbolKind::kEdges:
      feature.words = "number of edges";
      break;
    case SymbolKind::kDegree:
      feature.words = fmt::format("nodes of degree {}", a);
      if (a < kMostDrawn) feature.picture = with_neighbours(a);
      if (a < kMostDrawn) feature.marked.nodes = {0};
      break;
    case SymbolKind::kDegreePair:
      feature.words = fmt::format("edges between nodes of degree {} and {}", a, b);
      if (a + b < kMostDrawn) feature.picture = with_neighbours(a, b);
      if (a + b < kMostDrawn) feature.marked = {{0, 1}, {{0, 1}}};
      break;
    case SymbolKind::kGraphlet:
      feature.words = GraphletClasses::of_size(a).name(b);
      feature.picture = graphlet(a, b);
      break;
    case SymbolKind::kColour:
      describe_colour(input, a, b, feature);
      break;
    case SymbolKind::kAttribute:
      feature.words = fmt::format("{} of node attribute {}", kFigures[at(b)], a + 1);
      break;
    case SymbolKind::kPositionDegree:
    case SymbolKind::kPositionLabel:
    case SymbolKind::kPositionEdge:
    case SymbolKind::kPositionDistance:
      feature.words = "a place in the file";
      break;
  }
}

}  // namespace bermuda
