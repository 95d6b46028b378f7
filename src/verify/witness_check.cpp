#include "witness_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bermuda::verify {
namespace {

Edge ordered(int u, int v) { return {std::min(u, v), std::max(u, v)}; }

std::vector<Edge> edges_among(const std::vector<int>& nodes) {
  std::vector<Edge> edges;
  for (std::size_t j = 1; j < nodes.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) edges.push_back(ordered(nodes[i], nodes[j]));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::optional<std::string> fault_in_form(const Sample& sample) {
  const Witness& witness = sample.witness;
  const int node_count = sample.graph.node_count();
  for (std::size_t i = 0; i < witness.nodes.size(); ++i) {
    const int node = witness.nodes[i];
    if (node < 0 || node >= node_count) {
      return fmt::format("node {} in a graph of {} nodes", node, node_count);
    }
    if (i > 0 && witness.nodes[i - 1] >= node) {
      return fmt::format("node {} after {}, expected ascending nodes", node, witness.nodes[i - 1]);
    }
  }
  for (std::size_t i = 0; i < witness.edges.size(); ++i) {
    const Edge edge = witness.edges[i];
    if (edge.u >= edge.v || (i > 0 && witness.edges[i - 1] >= edge)) {
      return fmt::format("edge {}-{} out of order, expected ascending edges", edge.u, edge.v);
    }
    if (!std::ranges::binary_search(sample.graph.edges(), edge)) {
      return fmt::format("edge {}-{} is not in the graph", edge.u, edge.v);
    }
    if (!contains(witness.nodes, edge.u) || !contains(witness.nodes, edge.v)) {
      return fmt::format("edge {}-{} has an end that is not among the nodes", edge.u, edge.v);
    }
  }
  return std::nullopt;
}

std::optional<std::string> take_clique(Witness& witness, const std::vector<int>& nodes,
                                       std::string_view name) {
  for (const int node : nodes) {
    if (std::erase(witness.nodes, node) == 0) {
      return fmt::format("node {} of the {} {} is missing", node, name, fmt::join(nodes, "-"));
    }
  }
  for (const Edge& edge : edges_among(nodes)) {
    if (std::erase(witness.edges, edge) == 0) {
      return fmt::format("edge {}-{} of the {} {} is missing", edge.u, edge.v, name,
                         fmt::join(nodes, "-"));
    }
  }
  return std::nullopt;
}

std::optional<std::string> fault_in_cycle(const Witness& witness) {
  if (witness.edges.size() != witness.nodes.size()) {
    return fmt::format("found {} for {}, expected as many in a cycle",
                       counted(witness.edges.size(), "edge"),
                       counted(witness.nodes.size(), "node"));
  }
  for (const int node : witness.nodes) {
    const auto ends = static_cast<std::size_t>(std::ranges::count_if(
        witness.edges, [&](const Edge& edge) { return edge.u == node || edge.v == node; }));
    if (ends == 2) continue;
    return fmt::format("node {} has {}, expected 2 in a cycle", node, counted(ends, "edge"));
  }
  // Two edges at every node: a walk comes back to its start, after all edges if there is one cycle.
  std::vector<Edge> edges = witness.edges;
  int at_node = witness.nodes[0];
  std::size_t steps = 0;
  do {
    const auto next = std::ranges::find_if(
        edges, [&](const Edge& edge) { return edge.u == at_node || edge.v == at_node; });
    at_node = next->u == at_node ? next->v : next->u;
    edges.erase(next);
    ++steps;
  } while (at_node != witness.nodes[0]);
  if (edges.empty()) return std::nullopt;
  return fmt::format("the cycle through node {} has {} edges, expected all {} in one cycle",
                     at_node, steps, witness.edges.size());
}

}  // namespace bermuda::verify
