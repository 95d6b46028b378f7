#include "bermuda/graph/renumber.hpp"

#include <algorithm>
#include <utility>

namespace bermuda {

Graph renumbered(const Graph& graph, std::span<const int> number) {
  const auto new_place = [&](std::size_t node) { return static_cast<std::size_t>(number[node]); };
  std::vector<Edge> edges = graph.edges();
  for (Edge& edge : edges) {
    edge = {number[static_cast<std::size_t>(edge.u)], number[static_cast<std::size_t>(edge.v)]};
  }
  std::vector<int> labels(graph.node_labels().size());
  for (std::size_t v = 0; v < labels.size(); ++v) labels[new_place(v)] = graph.node_labels()[v];
  Graph result(graph.node_count(), std::move(edges), std::move(labels), graph.edge_labels());

  const auto width = static_cast<std::size_t>(graph.attribute_width());
  if (width == 0) return result;
  std::vector<double> attributes(graph.attributes().size());
  for (std::size_t v = 0; v * width < attributes.size(); ++v) {
    std::copy_n(graph.attributes().data() + v * width, width,
                attributes.data() + new_place(v) * width);
  }
  result.set_attributes(graph.attribute_width(), std::move(attributes));
  return result;
}

}  // namespace bermuda
