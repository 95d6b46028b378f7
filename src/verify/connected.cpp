#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// A whole component and nothing else: all its nodes, no edges.
std::optional<std::string> fault_in_component(const std::vector<std::vector<int>>& components,
                                              const Witness& witness) {
  if (!witness.edges.empty()) {
    return fmt::format("found {}, expected the nodes of a component only",
                       counted(witness.edges.size(), "edge"));
  }
  if (contains(components, witness.nodes)) return std::nullopt;
  return fmt::format("its {} are no whole component", counted(witness.nodes.size(), "node"));
}

/// n nodes and n - 1 edges, of which each reaches one more node than those before it.
std::optional<std::string> fault_in_tree(int nodes, const Witness& witness) {
  if (witness.nodes.size() != static_cast<std::size_t>(nodes)) {
    return fmt::format("found {}, expected a spanning tree of {}",
                       counted(witness.nodes.size(), "node"), nodes);
  }
  if (witness.edges.size() != static_cast<std::size_t>(nodes) - 1) {
    return fmt::format("found {}, expected the {} of a spanning tree",
                       counted(witness.edges.size(), "edge"), nodes - 1);
  }
  std::vector<Edge> edges = witness.edges;
  std::vector<int> reached = {0};
  for (std::size_t done = 0; done < reached.size(); ++done) {
    std::erase_if(edges, [&, node = reached[done]](const Edge& edge) {
      if (edge.u != node && edge.v != node) return false;
      reached.push_back(edge.u == node ? edge.v : edge.u);
      return true;
    });
  }
  std::sort(reached.begin(), reached.end());
  for (int node = 0; node < nodes; ++node) {
    if (contains(reached, node)) continue;
    return fmt::format("node {} is not on the tree of node 0: the edges form no spanning tree",
                       node);
  }
  return std::nullopt;
}

/// Class 1: a path joins any two nodes, proved by a spanning tree. Class 0: it does not, proved by
/// a component.
class ConnectedDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    const auto components = find_components(graph);
    recount.found = counted(components.size(), "component");
    if (components.empty()) return recount;
    recount.label = components.size() == 1 ? 1 : 0;
    if (recount.label == 1) {
      recount.fault_in = [nodes = graph.size()](const Witness& witness) {
        return fault_in_tree(nodes, witness);
      };
    } else {
      recount.fault_in = [components](const Witness& witness) {
        return fault_in_component(components, witness);
      };
    }
    return recount;
  }

  std::string expected(int label) const override {
    return label == 1 ? "1 component" : "several components";
  }
};

}  // namespace

DefinitionInfo connected_definition() {
  return {"connected", [] { return std::make_unique<ConnectedDefinition>(); }};
}

}  // namespace bermuda::verify
