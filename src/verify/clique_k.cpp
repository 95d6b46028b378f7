#include <fmt/format.h>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// Class 1: some k nodes are all joined. The witness is any such clique with all its edges.
class CliqueDefinition : public Definition {
 public:
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("k", k_, 3, 5, "nodes of the clique");
    return set;
  }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    recount.label = find_cliques(graph, k_, 1).empty() ? 0 : 1;
    recount.found = expected(*recount.label);
    if (recount.label == 1) {
      recount.fault_in = [k = k_](Witness witness) -> std::optional<std::string> {
        if (witness.nodes.size() == static_cast<std::size_t>(k)) {
          // Sound witnesses have no edges but those between their nodes.
          return take_clique(witness, std::vector<int>(witness.nodes), "clique");
        }
        return fmt::format("found {}, expected the {} of a clique",
                           counted(witness.nodes.size(), "node"), k);
      };
    }
    return recount;
  }

  std::string expected(int label) const override {
    return fmt::format("{} clique of {} nodes", label == 0 ? "no" : "a", k_);
  }

 private:
  int k_ = 4;
};

}  // namespace

DefinitionInfo clique_k_definition() {
  return {"clique-k", [] { return std::make_unique<CliqueDefinition>(); }};
}

}  // namespace bermuda::verify
