#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/verify/definition.hpp"
#include "isomorphism.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// A ring in which places are joined too that are `skip` apart.
NeighbourLists ring_with_skips(int nodes, int skip) {
  NeighbourLists lists(static_cast<std::size_t>(nodes));
  for (int place = 0; place < nodes; ++place) {
    for (const int step : {1, skip}) {
      const int other = (place + step) % nodes;
      lists[static_cast<std::size_t>(place)].push_back(other);
      lists[static_cast<std::size_t>(other)].push_back(place);
    }
  }
  return lists;
}

/// Its edges must lead once through all nodes, and all others join nodes that are `skip` apart
/// then.
std::optional<std::string> fault_in_ring(const AdjacencyMatrix& graph, const Witness& witness,
                                         int skip) {
  const std::size_t nodes = static_cast<std::size_t>(graph.size());
  if (witness.nodes.size() != nodes || witness.edges.size() != nodes) {
    return fmt::format("found {} and {}, expected a ring through all {} nodes",
                       counted(witness.nodes.size(), "node"), counted(witness.edges.size(), "edge"),
                       nodes);
  }
  std::vector<Edge> left = witness.edges;
  std::vector<int> ring = {0};
  while (ring.size() < nodes) {
    const auto next = std::ranges::find_if(
        left, [&](const Edge& edge) { return edge.u == ring.back() || edge.v == ring.back(); });
    if (next == left.end()) return fmt::format("the ring breaks at node {}", ring.back());
    const int node = next->u == ring.back() ? next->v : next->u;
    if (contains(ring, node)) return fmt::format("the ring closes early, at node {}", node);
    ring.push_back(node);
    left.erase(next);
  }
  const Edge closing = {std::min(ring.back(), 0), std::max(ring.back(), 0)};
  if (left.front() != closing) return fmt::format("the ring breaks at node {}", ring.back());
  for (std::size_t i = 0; i < nodes; ++i) {
    const int other = ring[(i + static_cast<std::size_t>(skip)) % nodes];
    if (!graph.joined(ring[i], other)) {
      return fmt::format("nodes {} and {} are {} places apart on the ring and not joined", ring[i],
                         other, skip);
    }
  }
  return std::nullopt;
}

/// A ring with skip links; the class is which of two skips they have. The witness is the ring.
class CslDefinition : public Definition {
 public:
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("skip-0", skips_[0], 2, 499, "class 0: how many places on a skip link leads")
        .add("skip-1", skips_[1], 2, 499, "class 1: how many places on a skip link leads");
    return set;
  }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    std::vector<int> nodes;
    for (int node = 0; node < graph.size(); ++node) nodes.push_back(node);
    const NeighbourLists lists = neighbours_among(graph, nodes);
    recount.found = "no ring with such skip links";
    for (int label = 0; label < 2; ++label) {
      const int skip = skips_[static_cast<std::size_t>(label)];
      if (graph.size() <= 2 * skip ||
          !are_isomorphic(ring_with_skips(graph.size(), skip), lists, graph)) {
        continue;
      }
      if (recount.label) {
        recount = {};
        recount.found = "a ring with links of either skip";
        return recount;
      }
      recount.label = label;
      recount.found = fmt::format("a ring with links {} places on", skip);
      recount.fault_in = [graph, skip](const Witness& witness) {
        return fault_in_ring(graph, witness, skip);
      };
    }
    return recount;
  }

  std::string expected(int label) const override {
    return fmt::format("a ring with links {} places on", skips_[label == 0 ? 0 : 1]);
  }

 private:
  std::array<int, 2> skips_ = {2, 3};
};

}  // namespace

DefinitionInfo csl_definition() {
  return {"csl", [] { return std::make_unique<CslDefinition>(); }};
}

}  // namespace bermuda::verify
