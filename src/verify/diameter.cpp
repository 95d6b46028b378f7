#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "bermuda/verify/definition.hpp"
#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// Edges from this node to the farthest, by adding the neighbours of all that was reached, step by
/// step; nothing when some node is never reached.
std::optional<int> eccentricity_of(const AdjacencyMatrix& graph, int node) {
  std::vector<bool> reached(static_cast<std::size_t>(graph.size()), false);
  reached[static_cast<std::size_t>(node)] = true;
  std::vector<int> front = {node};
  int left = graph.size() - 1;
  int steps = 0;
  for (; left > 0; ++steps) {
    std::vector<int> next;
    for (const int u : front) {
      graph.poll(static_cast<std::size_t>(graph.size()));
      for (int v = 0; v < graph.size(); ++v) {
        if (!graph.joined(u, v) || reached[static_cast<std::size_t>(v)]) continue;
        reached[static_cast<std::size_t>(v)] = true;
        next.push_back(v);
      }
    }
    if (next.empty()) return std::nullopt;
    left -= static_cast<int>(next.size());
    front = std::move(next);
  }
  return steps;
}

/// One path of `diameter` edges between two nodes that no shorter one joins.
std::optional<std::string> fault_in_longest(const AdjacencyMatrix& graph, const Witness& witness,
                                            int diameter) {
  if (witness.edges.size() != static_cast<std::size_t>(diameter)) {
    return fmt::format("found {}, expected a path of {}", counted(witness.edges.size(), "edge"),
                       diameter);
  }
  std::map<int, int> degree;
  for (const int node : witness.nodes) degree[node] = 0;
  for (const Edge& edge : witness.edges) {
    ++degree[edge.u];
    ++degree[edge.v];
  }
  std::vector<int> ends;
  for (const auto& [node, count] : degree) {
    if (count > 2) return fmt::format("node {} has {} edges, expected a path", node, count);
    if (count == 1) ends.push_back(node);
    if (count == 0 && diameter > 0) return fmt::format("node {} is not on the path", node);
  }
  if (diameter == 0) return std::nullopt;
  if (ends.size() != 2) return "its edges do not form one path";
  const std::optional<int> distance =
      distance_between(graph, std::array{ends[0]}, std::array{ends[1]});
  // As many edges as the ends are apart leave none for a ring beside the path.
  if (distance != diameter) {
    return fmt::format("nodes {} and {} are at distance {}, expected {}", ends[0], ends[1],
                       distance.value_or(-1), diameter);
  }
  return std::nullopt;
}

/// Class 1 when the two nodes that are farthest apart are so by at least `threshold` edges. The
/// witness is any shortest path between two such nodes.
class DiameterDefinition : public Definition {
 public:
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("threshold", threshold_, 1, 1000, "class 1 from this diameter on");
    return set;
  }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    int diameter = 0;
    for (int node = 0; node < graph.size(); ++node) {
      const std::optional<int> farthest = eccentricity_of(graph, node);
      if (!farthest) {
        recount.found = "a graph that is not connected";
        return recount;
      }
      diameter = std::max(diameter, *farthest);
    }
    recount.found = fmt::format("a diameter of {}", diameter);
    recount.label = diameter < threshold_ ? 0 : 1;
    recount.fault_in = [graph, diameter](const Witness& witness) {
      return fault_in_longest(graph, witness, diameter);
    };
    return recount;
  }

  std::string expected(int label) const override {
    return fmt::format("a diameter {} {}", label == 0 ? "below" : "of at least", threshold_);
  }

 private:
  int threshold_ = 6;
};

}  // namespace

DefinitionInfo diameter_definition() {
  return {"diameter", [] { return std::make_unique<DiameterDefinition>(); }};
}

}  // namespace bermuda::verify
