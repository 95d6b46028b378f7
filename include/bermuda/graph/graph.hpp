#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"

namespace bermuda {

/// An undirected edge; inside a Graph always with u < v.
struct Edge {
  int u = 0;
  int v = 0;
  auto operator<=>(const Edge&) const = default;
};

/// Thrown when edges, labels or attributes do not describe a simple graph. Carries the edge, if it
/// is one that is wrong.
class GraphError : public Error {
 public:
  GraphError(const std::string& message, Edge edge) : Error(message), edge_(edge) {}
  Edge edge() const { return edge_; }

 private:
  Edge edge_;
};

/// A simple undirected graph with nodes 0..n-1, optionally with integer node labels, integer edge
/// labels and real node attributes. Valid from its construction on: edges are sorted, distinct,
/// without loops, and ends are in range. Only the attributes can be set later, all at once.
class Graph {
 public:
  Graph() = default;
  /// Edges in any order and direction; edge_labels run parallel to them (both are sorted
  /// together). Empty label vectors mean "no labels". Throws GraphError.
  Graph(int node_count, std::vector<Edge> edges, std::vector<int> node_labels = {},
        std::vector<int> edge_labels = {});

  int node_count() const { return node_count_; }
  int edge_count() const { return static_cast<int>(edges_.size()); }
  const std::vector<Edge>& edges() const { return edges_; }
  bool has_node_labels() const { return !node_labels_.empty(); }
  const std::vector<int>& node_labels() const { return node_labels_; }
  bool has_edge_labels() const { return !edge_labels_.empty(); }
  const std::vector<int>& edge_labels() const { return edge_labels_; }

  /// Node attributes: attribute_width() numbers per node, row by row.
  int attribute_width() const { return attribute_width_; }
  const std::vector<double>& attributes() const { return attributes_; }
  /// Throws GraphError when there are not `width` values per node.
  void set_attributes(int width, std::vector<double> values);

  bool has_edge(int u, int v) const;  ///< O(log edges)
  std::vector<int> degrees() const;

  bool operator==(const Graph&) const = default;

 private:
  int node_count_ = 0;
  int attribute_width_ = 0;
  std::vector<Edge> edges_;
  std::vector<int> node_labels_;
  std::vector<int> edge_labels_;
  std::vector<double> attributes_;
};

/// Neighbour lists in compressed form: those of node u, ascending, are
/// neighbours[offsets[u] .. offsets[u + 1]), and edge_ids there index Graph::edges().
struct Adjacency {
  std::vector<int> offsets;
  std::vector<int> neighbours;
  std::vector<int> edge_ids;

  explicit Adjacency(const Graph& graph);
  int node_count() const { return static_cast<int>(offsets.size()) - 1; }
  int degree(int node) const { return offsets[at(node) + 1] - offsets[at(node)]; }
  std::span<const int> of(int node) const {
    return std::span(neighbours).subspan(at(offsets[at(node)]), at(degree(node)));
  }
  std::span<const int> edges_of(int node) const {
    return std::span(edge_ids).subspan(at(offsets[at(node)]), at(degree(node)));
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
};

/// The part of a graph that proves its class: a triangle; two cliques and a shortest path.
struct Witness {
  std::vector<int> nodes;   ///< ascending
  std::vector<Edge> edges;  ///< ascending, u < v
  bool empty() const { return nodes.empty() && edges.empty(); }
  bool operator==(const Witness&) const = default;
};

}  // namespace bermuda
