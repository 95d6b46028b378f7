#include <fmt/format.h>

#include <algorithm>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

// No class stands for so many; a graph of thousands of nodes may have billions.
constexpr std::size_t kMostTriangles = 1'000'000;

/// Class = number of triangles; the witness is exactly the first of them.
class TrianglesDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    const auto triangles = find_triangles(graph, kMostTriangles);
    Recount recount;
    recount.found = fmt::format("{}{}", triangles.size() >= kMostTriangles ? "at least " : "",
                                counted(triangles.size(), "triangle"));
    recount.label = static_cast<int>(triangles.size());
    if (triangles.empty()) return recount;
    recount.fault_in = [nodes = std::vector<int>(triangles[0].begin(), triangles[0].end())](
                           Witness witness) -> std::optional<std::string> {
      if (auto fault = take_clique(witness, nodes, "triangle")) return fault;
      if (witness.empty()) return std::nullopt;
      return fmt::format("found {} and {} beside the triangle, expected none",
                         counted(witness.nodes.size(), "node"),
                         counted(witness.edges.size(), "edge"));
    };
    return recount;
  }

  std::string expected(int label) const override {
    return counted(static_cast<std::size_t>(std::max(label, 0)), "triangle");
  }
};

}  // namespace

DefinitionInfo triangles_definition() {
  return {"triangles", [] { return std::make_unique<TrianglesDefinition>(); }};
}

}  // namespace bermuda::verify
