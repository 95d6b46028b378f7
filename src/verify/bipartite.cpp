#include <fmt/format.h>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// Nodes that a walk of an even number of edges, and those that a walk of an odd one reaches from
/// the node. A graph is bipartite when none is among both.
bool is_reached_both_ways(const AdjacencyMatrix& graph, int start) {
  const auto size = static_cast<std::size_t>(graph.size());
  std::vector<bool> reached(2 * size, false);  // [node + size * parity]
  std::vector<std::size_t> open = {static_cast<std::size_t>(start)};
  reached[open[0]] = true;
  while (!open.empty()) {
    const std::size_t state = open.back();
    open.pop_back();
    graph.poll(size);
    for (std::size_t v = 0; v < size; ++v) {
      if (!graph.joined(static_cast<int>(state % size), static_cast<int>(v))) continue;
      const std::size_t next = v + (state < size ? size : 0);
      if (reached[next]) continue;
      reached[next] = true;
      open.push_back(next);
    }
  }
  return reached[static_cast<std::size_t>(start) + size];
}

/// Nodes of one colour: every edge of the graph has exactly one end among them.
std::optional<std::string> fault_in_colour(const AdjacencyMatrix& graph, const Witness& witness) {
  if (!witness.edges.empty()) {
    return fmt::format("found {}, expected the nodes of one colour only",
                       counted(witness.edges.size(), "edge"));
  }
  for (int u = 0; u < graph.size(); ++u) {
    for (int v = u + 1; v < graph.size(); ++v) {
      if (!graph.joined(u, v)) continue;
      if (contains(witness.nodes, u) != contains(witness.nodes, v)) continue;
      return fmt::format("edge {}-{} has two ends of one colour", u, v);
    }
  }
  return std::nullopt;
}

/// Class 1: two colours suffice, proved by the nodes of one of them. Class 0: they do not, proved
/// by a cycle of an odd number of edges.
class BipartiteDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    if (graph.size() == 0) {
      recount.found = "no node";
      return recount;
    }
    recount.label = 1;
    for (int start = 0; start < graph.size() && recount.label == 1; ++start) {
      if (is_reached_both_ways(graph, start)) recount.label = 0;
    }
    recount.found = expected(*recount.label);
    if (recount.label == 1) {
      recount.fault_in = [graph](const Witness& witness) {
        return fault_in_colour(graph, witness);
      };
    } else {
      recount.fault_in = [](const Witness& witness) -> std::optional<std::string> {
        if (witness.nodes.size() % 2 == 1) return fault_in_cycle(witness);
        return fmt::format("found {}, expected a cycle of an odd number",
                           counted(witness.nodes.size(), "node"));
      };
    }
    return recount;
  }

  std::string expected(int label) const override {
    return label == 0 ? "an odd cycle" : "no odd cycle";
  }
};

}  // namespace

DefinitionInfo bipartite_definition() {
  return {"bipartite", [] { return std::make_unique<BipartiteDefinition>(); }};
}

}  // namespace bermuda::verify
