#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bermuda/verify/definition.hpp"
#include "planarity.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

using EdgesByNode = std::map<int, std::vector<int>>;

/// The branch node at the other end of the path that starts with this step, -1 when it returns or
/// ends nowhere; counts its edges.
int end_of_path(const EdgesByNode& around, int from, int next, std::size_t& edges) {
  int before = from;
  for (++edges; around.at(next).size() == 2; ++edges) {
    const auto& both = around.at(next);
    before = std::exchange(next, both[0] == before ? both[1] : both[0]);
    if (next == from) return -1;
  }
  return around.at(next).size() > 2 ? next : -1;
}

/// K5 or K3,3 when every path between branch nodes is taken for one edge, and nothing beside it.
std::optional<std::string> fault_in_kuratowski(const Witness& witness) {
  EdgesByNode around;
  for (const int node : witness.nodes) around[node] = {};
  for (const auto& [u, v] : witness.edges) {
    around[u].push_back(v);
    around[v].push_back(u);
  }
  for (const auto& [node, others] : around) {
    if (others.size() >= 2) continue;
    return fmt::format("node {} has {}, expected at least two", node,
                       counted(others.size(), "edge"));
  }
  std::map<int, std::vector<int>> reached;  // of a branch node: others, one per path
  std::size_t passed = 0;
  for (const auto& [node, others] : around) {
    if (others.size() == 2) continue;
    for (const int next : others) {
      const int end = end_of_path(around, node, next, passed);
      if (end < 0) return fmt::format("a path from node {} leads to no other branch", node);
      reached[node].push_back(end);
    }
    std::ranges::sort(reached[node]);
  }
  if (passed != 2 * witness.edges.size()) return "it holds a ring beside the paths";
  const std::size_t branches = reached.size();
  const std::size_t degree = branches == 5 ? 4 : 3;
  if (branches != 5 && branches != 6) {
    return fmt::format("found {} of three or more edges, expected five or six",
                       counted(branches, "node"));
  }
  for (const auto& [node, ends] : reached) {
    const bool has_one_twice = std::ranges::adjacent_find(ends) != ends.end();
    if (ends.size() != degree || has_one_twice) {
      return fmt::format("paths from node {} do not lead to {} others", node, degree);
    }
    // Of K3,3 besides: whoever is not joined to a node is joined to the same three as it is.
    for (const auto& [other, its] : reached) {
      if (branches == 6 && !contains(ends, other) && its != ends) {
        return fmt::format("nodes {} and {} are neither joined nor on one side of K3,3", node,
                           other);
      }
    }
  }
  return std::nullopt;
}

/// Class 1 when the graph is planar. What proves that it is not is a K5 or a K3,3 in it with paths
/// for edges.
class PlanarDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    recount.label = can_be_drawn(graph) ? 1 : 0;
    recount.found = recount.label == 1 ? "a planar graph" : "a graph that is not planar";
    if (recount.label == 0) recount.fault_in = fault_in_kuratowski;
    return recount;
  }

  std::string expected(int label) const override {
    return label == 0 ? "one that is not planar" : "a planar one";
  }
};

}  // namespace

DefinitionInfo planar_definition() {
  return {"planar", [] { return std::make_unique<PlanarDefinition>(); }};
}

}  // namespace bermuda::verify
