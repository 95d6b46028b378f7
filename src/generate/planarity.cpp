#include "planarity.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boyer_myrvold_planar_test.hpp>

#include "bermuda/core/index.hpp"
#include "random_graph.hpp"
#include "switches.hpp"

namespace bermuda {
namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                         boost::property<boost::vertex_index_t, int>,
                                         boost::property<boost::edge_index_t, int>>;

/// The graph without what hangs on one edge, and, if wanted, with one edge for each path; then
/// nobody has fewer than two (three) edges. Planar exactly when the graph is. Returns degrees.
std::vector<int> reduce(BitGraph& graph, bool shorten_paths) {
  const int most = shorten_paths ? 2 : 1;
  std::vector<int> degrees = degrees_of(graph);
  std::vector<int> open;
  const auto note = [&](int node) {
    if (degrees[at(node)] > 0 && degrees[at(node)] <= most) open.push_back(node);
  };
  const auto remove = [&](int u, int v) {
    graph.remove(u, v);
    --degrees[at(u)];
    --degrees[at(v)];
  };
  for (int node = 0; node < graph.node_count(); ++node) note(node);
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    if (degrees[at(node)] == 0 || degrees[at(node)] > most) continue;  // noted twice
    int ends[2] = {-1, -1};
    graph.for_neighbours(node, [&](int other) { ends[ends[0] < 0 ? 0 : 1] = other; });
    const auto [a, b] = ends;
    remove(node, a);
    if (b >= 0) {
      remove(node, b);
      if (!graph.has(a, b)) {
        graph.add(a, b);
        ++degrees[at(a)];
        ++degrees[at(b)];
      }
      note(b);
    }
    note(a);
  }
  return degrees;
}

/// Whether edges that are not planar are no more than what makes them so: six nodes have three of
/// them or five have four, all others two, and all hang together.
bool is_barely_not_planar(const BitGraph& graph, const std::vector<int>& degrees) {
  const auto with = [&](int count) { return std::ranges::count(degrees, count); };
  const auto joined = static_cast<std::ptrdiff_t>(degrees.size()) - with(0);
  const auto branches = joined - with(2);
  if ((branches != 6 || with(3) != 6) && (branches != 5 || with(4) != 5)) return false;
  const auto first = std::ranges::find_if(degrees, [](int degree) { return degree > 2; });
  return reachable_from(graph, static_cast<int>(first - degrees.begin())) == joined;
}

/// Calls visit(u, v) for the edge and all others on the same path of nodes with two edges.
template <typename Visit>
void for_path_through(const BitGraph& graph, const std::vector<int>& degrees, Edge edge,
                      Visit visit) {
  visit(edge.u, edge.v);
  for (auto [before, node] : {edge, Edge{edge.v, edge.u}}) {
    for (int steps = 0; degrees[at(node)] == 2 && steps < graph.node_count(); ++steps) {
      int next = -1;
      graph.for_neighbours(node, [&, from = before](int other) {
        if (other != from) next = other;
      });
      visit(node, next);
      before = node;
      node = next;
    }
  }
}

}  // namespace

bool is_planar(const BitGraph& graph, StopPoll& stop) {
  BitGraph core(graph.node_count());
  graph.for_edges([&](int u, int v) { core.add(u, v); });
  const std::vector<int> degrees = reduce(core, true);
  std::vector<int> number(degrees.size(), -1);
  int nodes = 0;
  int edges = 0;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] > 0) number[i] = nodes++;
    edges += degrees[i];
  }
  edges /= 2;
  stop(at(graph.node_count() + edges));
  if (nodes < 5 || edges < 9) return true;
  if (edges > 3 * nodes - 6) return false;
  BoostGraph numbered(at(nodes));
  int index = 0;
  core.for_edges([&](int u, int v) {
    boost::add_edge(at(number[at(u)]), at(number[at(v)]), index++, numbered);
  });
  return boost::boyer_myrvold_planarity_test(numbered);
}

std::vector<Edge> kuratowski_subgraph(const BitGraph& graph, StopPoll& stop) {
  BitGraph kept(graph.node_count());
  graph.for_edges([&](int u, int v) { kept.add(u, v); });
  std::vector<int> degrees = reduce(kept, false);
  BitGraph needed(graph.node_count());
  for (const Edge edge : kept.edges()) {
    if (is_barely_not_planar(kept, degrees)) break;
    // An edge without which a graph is planar is needed in every part of it.
    if (!kept.has(edge.u, edge.v) || needed.has(edge.u, edge.v)) continue;
    kept.remove(edge.u, edge.v);
    if (is_planar(kept, stop)) {
      kept.add(edge.u, edge.v);
      for_path_through(kept, degrees, edge, [&](int u, int v) { needed.add(u, v); });
    } else {
      degrees = reduce(kept, false);
    }
  }
  return kept.edges();
}

}  // namespace bermuda
