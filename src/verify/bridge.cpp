#include <fmt/format.h>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// Of a connected graph, class 1: without some edge it is not connected any more. The witness is
/// any such edge and its ends.
class BridgeDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    const auto components = find_components(graph);
    if (components.size() != 1) {
      recount.found = counted(components.size(), "component");
      return recount;
    }
    std::vector<Edge> bridges;
    for (int u = 0; u < graph.size(); ++u) {
      for (int v = u + 1; v < graph.size(); ++v) {
        if (graph.joined(u, v) && find_components(graph.without(u, v)).size() > 1) {
          bridges.push_back({u, v});
        }
      }
    }
    recount.label = bridges.empty() ? 0 : 1;
    recount.found = counted(bridges.size(), "bridge");
    if (bridges.empty()) return recount;
    recount.fault_in = [bridges](const Witness& witness) -> std::optional<std::string> {
      if (witness.edges.size() != 1 || witness.nodes.size() != 2) {
        return fmt::format("found {} and {}, expected one edge and its ends",
                           counted(witness.nodes.size(), "node"),
                           counted(witness.edges.size(), "edge"));
      }
      const Edge edge = witness.edges[0];
      if (contains(bridges, edge)) return std::nullopt;
      return fmt::format("edge {}-{} is no bridge", edge.u, edge.v);
    };
    return recount;
  }

  std::string expected(int label) const override {
    return label == 0 ? "a connected graph with no bridge" : "a connected graph with a bridge";
  }
};

}  // namespace

DefinitionInfo bridge_definition() {
  return {"bridge", [] { return std::make_unique<BridgeDefinition>(); }};
}

}  // namespace bermuda::verify
