#include <fmt/format.h>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// Whether the path, which begins at its smallest node, can be closed to a cycle of k edges.
bool closes_to_cycle(const AdjacencyMatrix& graph, std::vector<int>& path, int k) {
  graph.poll(static_cast<std::size_t>(graph.size()));
  if (path.size() == static_cast<std::size_t>(k)) return graph.joined(path.front(), path.back());
  for (int next = path.front() + 1; next < graph.size(); ++next) {
    if (!graph.joined(path.back(), next) || contains(path, next)) continue;
    path.push_back(next);
    if (closes_to_cycle(graph, path, k)) return true;
    path.pop_back();
  }
  return false;
}

/// Class 1: some k nodes can be walked round along k edges, whatever other edges join them. The
/// witness is any such cycle.
class CycleDefinition : public Definition {
 public:
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("k", k_, 4, 8, "edges of the cycle");
    return set;
  }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    recount.label = 0;
    for (int start = 0; start < graph.size() && recount.label == 0; ++start) {
      std::vector<int> path = {start};
      if (closes_to_cycle(graph, path, k_)) recount.label = 1;
    }
    recount.found = expected(*recount.label);
    if (recount.label == 1) {
      recount.fault_in = [k = k_](const Witness& witness) -> std::optional<std::string> {
        if (witness.nodes.size() == static_cast<std::size_t>(k)) return fault_in_cycle(witness);
        return fmt::format("found {}, expected the {} of a cycle",
                           counted(witness.nodes.size(), "node"), k);
      };
    }
    return recount;
  }

  std::string expected(int label) const override {
    return fmt::format("{} cycle of {} edges", label == 0 ? "no" : "a", k_);
  }

 private:
  int k_ = 4;
};

}  // namespace

DefinitionInfo cycle_k_definition() {
  return {"cycle-k", [] { return std::make_unique<CycleDefinition>(); }};
}

}  // namespace bermuda::verify
