#include "witness_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace bermuda::verify {
namespace {

template <typename Item>
bool contains(const std::vector<Item>& items, const Item& item) {
  return std::ranges::find(items, item) != items.end();
}

Edge ordered(int u, int v) { return {std::min(u, v), std::max(u, v)}; }

std::vector<Edge> edges_among(const std::vector<int>& nodes) {
  std::vector<Edge> edges;
  for (std::size_t j = 1; j < nodes.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) edges.push_back(ordered(nodes[i], nodes[j]));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// The edges outside the cliques must be one path of `distance` edges from the first clique to the
/// second, and the nodes outside the cliques those that it passes.
std::optional<std::string> fault_in_path(std::vector<int> inner, std::vector<Edge> edges,
                                         const std::vector<int>& first,
                                         const std::vector<int>& second, int distance) {
  const std::size_t length = edges.size();
  if (length != static_cast<std::size_t>(distance)) {
    return fmt::format("found {} outside the cliques, expected a path of {}",
                       counted(length, "edge"), distance);
  }
  const auto leaves_first = [&](const Edge& edge) {
    return contains(first, edge.u) || contains(first, edge.v);
  };
  const auto start = std::ranges::find_if(edges, leaves_first);
  if (start == edges.end()) return "no edge outside the cliques leaves the first clique";
  int at_node = contains(first, start->u) ? start->v : start->u;
  edges.erase(start);
  while (!edges.empty()) {
    const auto next = std::ranges::find_if(
        edges, [&](const Edge& edge) { return edge.u == at_node || edge.v == at_node; });
    if (next == edges.end() || std::erase(inner, at_node) == 0) {
      return fmt::format("the edges outside the cliques do not form a path: it breaks at node {}",
                         at_node);
    }
    at_node = next->u == at_node ? next->v : next->u;
    edges.erase(next);
  }
  if (!contains(second, at_node)) {
    return fmt::format("the path ends at node {}, expected a node of the second clique", at_node);
  }
  if (!inner.empty()) {
    return fmt::format("node {} is neither in a clique nor on the path", inner.front());
  }
  return std::nullopt;
}

}  // namespace

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

std::optional<std::string> fault_in_content(const Witness& witness, const Recount& recount,
                                            const TaskCheck& check) {
  if (recount.parts.empty()) {
    if (witness.empty()) return std::nullopt;
    return fmt::format("found {}, expected none in this class",
                       counted(witness.nodes.size(), "node"));
  }
  std::vector<int> nodes = witness.nodes;
  std::vector<Edge> edges = witness.edges;
  const std::string_view part_name =
      check.kind == TaskCheck::Kind::kTriangles ? "triangle" : "clique";
  for (const std::vector<int>& part : recount.parts) {
    for (const int node : part) {
      if (std::erase(nodes, node) == 0) {
        return fmt::format("node {} of the {} {} is missing", node, part_name,
                           fmt::join(part, "-"));
      }
    }
    for (const Edge& edge : edges_among(part)) {
      if (std::erase(edges, edge) == 0) {
        return fmt::format("edge {}-{} of the {} {} is missing", edge.u, edge.v, part_name,
                           fmt::join(part, "-"));
      }
    }
  }
  if (check.kind == TaskCheck::Kind::kCliqueDistance) {
    return fault_in_path(nodes, edges, recount.parts[0], recount.parts[1], recount.distance);
  }
  if (nodes.empty() && edges.empty()) return std::nullopt;
  return fmt::format("found {} and {} beside the triangle, expected none",
                     counted(nodes.size(), "node"), counted(edges.size(), "edge"));
}

}  // namespace bermuda::verify
