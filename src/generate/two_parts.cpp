#include "two_parts.hpp"

namespace bermuda {
namespace {

// Below five nodes every cycle is a short one, which no switch may touch.
constexpr int kFewestOfPart = 5;

}  // namespace

double most_edges_of_parts(int nodes) {
  const auto between = [](double count) { return count * (count - 1) / 2; };
  return between(kFewestOfPart) + between(nodes - kFewestOfPart);
}

std::optional<std::array<Part, 2>> divide(int nodes, int edges, int spare_edges,
                                          RandomStream& random) {
  const int middle = random.between(kFewestOfPart, nodes - kFewestOfPart);
  std::array<Part, 2> parts = {
      Part{0, middle, middle + spare_edges},
      Part{middle, nodes, nodes - middle + spare_edges},
  };
  for (int left = edges - nodes - 2 * spare_edges; left > 0; --left) {
    ++parts[random.between(0, nodes - 1) < middle ? 0 : 1].edges;
  }
  for (const Part& part : parts) {
    if (part.edges > part.size() * (part.size() - 1) / 2) return {};
  }
  return parts;
}

std::vector<Edge> edges_within(const BitGraph& graph, const Part& part) {
  std::vector<Edge> edges;
  graph.for_edges([&](int u, int v) {
    if (u >= part.first && v < part.end) edges.push_back({u, v});
  });
  return edges;
}

}  // namespace bermuda
