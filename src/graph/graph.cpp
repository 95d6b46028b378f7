#include "bermuda/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "bermuda/core/index.hpp"

namespace bermuda {
namespace {

void sort_with_labels(std::vector<Edge>& edges, std::vector<int>& labels) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return edges[a] < edges[b]; });
  std::vector<Edge> sorted_edges;
  std::vector<int> sorted_labels;
  sorted_edges.reserve(edges.size());
  sorted_labels.reserve(labels.size());
  for (const std::size_t i : order) {
    sorted_edges.push_back(edges[i]);
    sorted_labels.push_back(labels[i]);
  }
  edges = std::move(sorted_edges);
  labels = std::move(sorted_labels);
}

// Whether nothing is left to check or sort: most graphs come from generators and readers that list
// their edges so.
bool are_in_order(const std::vector<Edge>& edges, int node_count) {
  bool in_order = true;
  std::uint64_t before = 0;  // below every edge: 0-1 is 1
  for (const Edge edge : edges) {
    const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(edge.u)} << 32 |
                              static_cast<std::uint32_t>(edge.v);
    in_order &= edge.u >= 0 && edge.u < edge.v && edge.v < node_count && key > before;
    before = key;
  }
  return in_order;
}

}  // namespace

Graph::Graph(int node_count, std::vector<Edge> edges, std::vector<int> node_labels,
             std::vector<int> edge_labels)
    : node_count_(node_count),
      edges_(std::move(edges)),
      node_labels_(std::move(node_labels)),
      edge_labels_(std::move(edge_labels)) {
  if (node_count < 0) throw GraphError(fmt::format("negative node count {}", node_count), {});
  if (!node_labels_.empty() && node_labels_.size() != at(node_count)) {
    throw GraphError(fmt::format("{} node labels for {} nodes", node_labels_.size(), node_count),
                     {});
  }
  if (!edge_labels_.empty() && edge_labels_.size() != edges_.size()) {
    throw GraphError(fmt::format("{} edge labels for {} edges", edge_labels_.size(), edges_.size()),
                     {});
  }
  if (are_in_order(edges_, node_count)) return;
  for (Edge& edge : edges_) {
    if (edge.u == edge.v) throw GraphError(fmt::format("self loop at node {}", edge.u), edge);
    if (edge.u > edge.v) std::swap(edge.u, edge.v);
    if (edge.u < 0 || edge.v >= node_count) {
      throw GraphError(fmt::format("edge {}-{} in a graph of {} nodes", edge.u, edge.v, node_count),
                       edge);
    }
  }
  if (!edge_labels_.empty()) {
    sort_with_labels(edges_, edge_labels_);
  } else if (!std::is_sorted(edges_.begin(), edges_.end())) {
    std::sort(edges_.begin(), edges_.end());
  }
  const auto twin = std::adjacent_find(edges_.begin(), edges_.end());
  if (twin != edges_.end()) {
    throw GraphError(fmt::format("edge {}-{} stands twice", twin->u, twin->v), *twin);
  }
}

void Graph::set_attributes(int width, std::vector<double> values) {
  if (width < 0 || values.size() != at(width) * at(node_count_)) {
    throw GraphError(
        fmt::format("{} attributes for {} nodes, {} each", values.size(), node_count_, width), {});
  }
  attribute_width_ = width;
  attributes_ = std::move(values);
}

bool Graph::has_edge(int u, int v) const {
  return std::binary_search(edges_.begin(), edges_.end(), Edge{std::min(u, v), std::max(u, v)});
}

std::vector<int> Graph::degrees() const {
  std::vector<int> degrees(at(node_count_), 0);
  for (const Edge& edge : edges_) {
    ++degrees[at(edge.u)];
    ++degrees[at(edge.v)];
  }
  return degrees;
}

Adjacency::Adjacency(const Graph& graph)
    : offsets(at(graph.node_count()) + 1, 0),
      neighbours(graph.edges().size() * 2),
      edge_ids(graph.edges().size() * 2) {
  for (const Edge& edge : graph.edges()) {
    ++offsets[at(edge.u) + 1];
    ++offsets[at(edge.v) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<int> next(offsets.begin(), offsets.end() - 1);
  const auto put = [&](int from, int to, int id) {
    const auto place = at(next[at(from)]++);
    neighbours[place] = to;
    edge_ids[place] = id;
  };
  // Edges ascend by (u, v): first every smaller neighbour in order, then every larger one.
  for (int id = 0; id < graph.edge_count(); ++id) {
    const Edge edge = graph.edges()[at(id)];
    put(edge.v, edge.u, id);
  }
  for (int id = 0; id < graph.edge_count(); ++id) {
    const Edge edge = graph.edges()[at(id)];
    put(edge.u, edge.v, id);
  }
}

}  // namespace bermuda
