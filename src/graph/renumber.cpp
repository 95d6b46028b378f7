#include "bermuda/graph/renumber.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "bermuda/core/index.hpp"

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

Witness renumbered(const Witness& witness, std::span<const int> number) {
  Witness result = witness;
  for (int& node : result.nodes) node = number[at(node)];
  for (Edge& edge : result.edges) {
    const auto [low, high] = std::minmax(number[at(edge.u)], number[at(edge.v)]);
    edge = {low, high};
  }
  std::ranges::sort(result.nodes);
  std::ranges::sort(result.edges);
  return result;
}

std::vector<int> random_numbers(int nodes, RandomStream& random) {
  std::vector<int> number(at(nodes));
  std::iota(number.begin(), number.end(), 0);
  random.shuffle(std::span(number));
  return number;
}

}  // namespace bermuda
