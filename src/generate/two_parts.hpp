#pragma once

#include <array>
#include <optional>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// Nodes first .. end - 1 of a graph under construction, and the edges to put between them.
struct Part {
  int first;
  int end;
  int edges;
  int size() const { return end - first; }
};

/// Divides nodes and edges into two parts of at least five nodes, each with its nodes +
/// `spare_edges` edges or more; what is beyond goes to the parts by their size. Nothing when a part
/// has no room for its edges.
std::optional<std::array<Part, 2>> divide(int nodes, int edges, int spare_edges,
                                          RandomStream& random);

/// The most edges that two such parts can have together.
double most_edges_of_parts(int nodes);

std::vector<Edge> edges_within(const BitGraph& graph, const Part& part);

}  // namespace bermuda
