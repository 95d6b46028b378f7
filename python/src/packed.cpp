#include "packed.hpp"

#include <algorithm>
#include <vector>

#include "array.hpp"

namespace bermuda::python {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct Packed {
  std::vector<std::int64_t> node_offsets{0};
  std::vector<std::int64_t> arc_offsets{0};
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  std::vector<std::int64_t> y;
  std::vector<std::int64_t> node_labels;
  std::vector<std::int64_t> arc_labels;
  std::vector<double> attributes;
  std::vector<char> node_mask;
  std::vector<char> arc_mask;
  bool has_node_labels = true;
  bool has_edge_labels = true;
  int attribute_width = -1;  // -1: not known yet; 0: none, or not the same for all
};

void add_arcs(Packed& all, const Graph& graph, const Witness& witness) {
  std::vector<char> in_witness(graph.edges().size(), 0);
  for (const Edge& edge : witness.edges) {
    const auto found = std::lower_bound(graph.edges().begin(), graph.edges().end(), edge);
    if (found != graph.edges().end() && *found == edge) {
      in_witness[static_cast<std::size_t>(found - graph.edges().begin())] = 1;
    }
  }
  const Adjacency adjacency(graph);
  for (int node = 0; node < graph.node_count(); ++node) {
    const auto neighbours = adjacency.of(node);
    const auto edges = adjacency.edges_of(node);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      all.sources.push_back(node);
      all.targets.push_back(neighbours[i]);
      all.arc_mask.push_back(in_witness[at(edges[i])]);
      if (graph.has_edge_labels()) all.arc_labels.push_back(graph.edge_labels()[at(edges[i])]);
    }
  }
}

void add(Packed& all, const Sample& sample) {
  const Graph& graph = sample.graph;
  const std::size_t first = all.node_mask.size();
  all.node_mask.resize(first + at(graph.node_count()), 0);
  for (const int node : sample.witness.nodes) all.node_mask[first + at(node)] = 1;
  add_arcs(all, graph, sample.witness);
  all.node_offsets.push_back(static_cast<std::int64_t>(all.node_mask.size()));
  all.arc_offsets.push_back(static_cast<std::int64_t>(all.sources.size()));
  all.y.push_back(sample.label);
  all.node_labels.insert(all.node_labels.end(), graph.node_labels().begin(),
                         graph.node_labels().end());
  all.attributes.insert(all.attributes.end(), graph.attributes().begin(), graph.attributes().end());
  all.has_node_labels &= graph.has_node_labels() || graph.node_count() == 0;
  all.has_edge_labels &= graph.has_edge_labels() || graph.edge_count() == 0;
  if (all.attribute_width < 0) all.attribute_width = graph.attribute_width();
  if (all.attribute_width != graph.attribute_width()) all.attribute_width = 0;
}

Array mask_array(std::vector<char> mask) {
  const auto owner = std::make_shared<std::vector<char>>(std::move(mask));
  return Array(owner, owner->data(), "?", 1, {static_cast<py::ssize_t>(owner->size())}, {1},
               /*writable=*/true);
}

}  // namespace

py::dict packed(const Graphs& graphs) {
  Packed all;
  {
    const py::gil_scoped_release released;
    for (const Sample* sample : graphs.samples) add(all, *sample);
    all.sources.insert(all.sources.end(), all.targets.begin(), all.targets.end());
  }
  const auto nodes = static_cast<py::ssize_t>(all.node_mask.size());
  const auto arcs = static_cast<py::ssize_t>(all.arc_mask.size());
  py::dict arrays;
  if (all.has_node_labels && !all.node_labels.empty()) {
    arrays["node_labels"] = array_of(std::move(all.node_labels));
  }
  if (all.has_edge_labels && !all.arc_labels.empty()) {
    arrays["arc_labels"] = array_of(std::move(all.arc_labels));
  }
  if (all.attribute_width > 0) {
    arrays["attributes"] = array_of(std::move(all.attributes), {nodes, all.attribute_width});
  }
  arrays["node_offsets"] = array_of(std::move(all.node_offsets));
  arrays["arc_offsets"] = array_of(std::move(all.arc_offsets));
  arrays["edge_index"] = array_of(std::move(all.sources), {2, arcs});
  arrays["node_mask"] = mask_array(std::move(all.node_mask));
  arrays["arc_mask"] = mask_array(std::move(all.arc_mask));
  arrays["y"] = array_of(std::move(all.y));
  return arrays;
}

}  // namespace bermuda::python
