#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// What is left of the witness without its cliques must be one path of `distance` edges from the
/// first clique to the second, and the nodes that it passes.
std::optional<std::string> fault_in_path(Witness rest, const std::vector<int>& first,
                                         const std::vector<int>& second, int distance) {
  auto& [inner, edges] = rest;
  if (edges.size() != static_cast<std::size_t>(distance)) {
    return fmt::format("found {} outside the cliques, expected a path of {}",
                       counted(edges.size(), "edge"), distance);
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

/// Exactly two cliques of k nodes, apart from each other; class 1 from a distance of `threshold`
/// edges on. The witness is both cliques and any shortest path between them.
class CliqueDistanceDefinition : public Definition {
 public:
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("clique-size", clique_size_, 3, 50, "k, nodes of each clique")
        .add("threshold", threshold_, 1, 1000, "class 1 from this distance on");
    return set;
  }

  Recount recount(const AdjacencyMatrix& graph) const override;

  std::string expected(int label) const override {
    return fmt::format("two disjoint cliques of {} nodes at distance {} {}", clique_size_,
                       label == 0 ? "below" : "of at least", threshold_);
  }

 private:
  int clique_size_ = 4;
  int threshold_ = 4;
};

Recount CliqueDistanceDefinition::recount(const AdjacencyMatrix& graph) const {
  Recount recount;
  // A clique of k + 1 nodes holds k + 1 of k nodes, so that "exactly two" excludes it.
  const auto cliques = find_cliques(graph, clique_size_, 3);
  if (cliques.size() != 2) {
    recount.found = fmt::format("{}{} of {} nodes", cliques.size() > 2 ? "at least " : "",
                                counted(cliques.size(), "clique"), clique_size_);
    return recount;
  }
  const std::vector<int>& first = cliques[0];
  const std::vector<int>& second = cliques[1];
  if (std::ranges::find_first_of(first, second) != first.end()) {
    recount.found = "two cliques that share nodes";
    return recount;
  }
  const std::optional<int> distance = distance_between(graph, first, second);
  if (!distance) {
    recount.found = "two cliques that no path joins";
    return recount;
  }
  recount.label = *distance < threshold_ ? 0 : 1;
  recount.found = fmt::format("cliques at distance {}", *distance);
  recount.fault_in = [first, second, distance](Witness witness) -> std::optional<std::string> {
    for (const auto& clique : {first, second}) {
      if (auto fault = take_clique(witness, clique, "clique")) return fault;
    }
    return fault_in_path(std::move(witness), first, second, *distance);
  };
  return recount;
}

}  // namespace

DefinitionInfo clique_distance_definition() {
  return {"clique-distance", [] { return std::make_unique<CliqueDistanceDefinition>(); }};
}

}  // namespace bermuda::verify
