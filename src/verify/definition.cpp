#include "bermuda/verify/definition.hpp"

namespace bermuda::verify {

// One per task, in its own file.
DefinitionInfo triangles_definition();
DefinitionInfo clique_distance_definition();
DefinitionInfo cycle_k_definition();
DefinitionInfo clique_k_definition();
DefinitionInfo connected_definition();
DefinitionInfo bridge_definition();
DefinitionInfo bipartite_definition();
DefinitionInfo planar_definition();
DefinitionInfo diameter_definition();
DefinitionInfo isomorphic_pair_definition();
DefinitionInfo csl_definition();

const std::vector<DefinitionInfo>& definitions() {
  static const std::vector<DefinitionInfo> list = {
      triangles_definition(), clique_distance_definition(),
      cycle_k_definition(),   clique_k_definition(),
      connected_definition(), bridge_definition(),
      bipartite_definition(), planar_definition(),
      diameter_definition(),  isomorphic_pair_definition(),
      csl_definition(),
  };
  return list;
}

std::unique_ptr<Definition> make_definition(std::string_view task) {
  for (const DefinitionInfo& info : definitions()) {
    if (info.task == task) return info.make();
  }
  return nullptr;
}

std::string defined_tasks() {
  std::string names;
  for (const DefinitionInfo& info : definitions()) {
    names += names.empty() ? "" : ", ";
    names += info.task;
  }
  return names;
}

}  // namespace bermuda::verify
