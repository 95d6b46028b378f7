#include "bermuda/graph/canonical.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bermuda/core/index.hpp"
#include "canonical_order.hpp"

namespace bermuda {
namespace {

/// Ranks rather than values, because colours must be small. Isomorphic graphs have the same
/// set of labels, hence the same ranks.
std::map<int, int> ranks_of(const std::vector<int>& labels) {
  std::map<int, int> ranks;
  for (const int label : labels) ranks.emplace(label, 0);
  int rank = 0;
  for (auto& [label, value] : ranks) value = rank++;
  return ranks;
}

/// Edges with this label need no node of their own; the most frequent one keeps the graph small.
int most_frequent(const std::vector<int>& labels) {
  std::map<int, int> counts;
  for (const int label : labels) ++counts[label];
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(counts.begin(), counts.end(), more)->first;
}

/// A graph without edge labels whose isomorphisms are those of the original.
ColouredGraph coloured(const Graph& graph) {
  ColouredGraph result;
  result.node_count = graph.node_count();
  int colour_count = 1;
  if (graph.has_node_labels()) {
    const std::map<int, int> ranks = ranks_of(graph.node_labels());
    for (const int label : graph.node_labels()) result.colours.push_back(ranks.at(label));
    colour_count = static_cast<int>(ranks.size());
  }
  if (!graph.has_edge_labels()) {
    result.edges = graph.edges();
    return result;
  }
  const std::map<int, int> ranks = ranks_of(graph.edge_labels());
  const int plain = most_frequent(graph.edge_labels());
  result.colours.resize(at(graph.node_count()), 0);
  for (int id = 0; id < graph.edge_count(); ++id) {
    const Edge edge = graph.edges()[at(id)];
    const int label = graph.edge_labels()[at(id)];
    if (label == plain) {
      result.edges.push_back(edge);
    } else {
      const int middle = result.node_count++;
      result.edges.insert(result.edges.end(), {{edge.u, middle}, {edge.v, middle}});
      result.colours.push_back(colour_count + ranks.at(label));
    }
  }
  return result;
}

/// positions[v] of node v in the canonical order; the input is coloured(graph).
std::vector<int> without_middles(std::vector<int> positions, const ColouredGraph& input,
                                 const Graph& graph) {
  if (input.node_count != graph.node_count()) {
    // The nodes put on edges have places in the order too: close the gaps they leave.
    positions.resize(at(graph.node_count()));
    std::vector<int> taken = positions;
    std::sort(taken.begin(), taken.end());
    for (int& position : positions) {
      position =
          static_cast<int>(std::lower_bound(taken.begin(), taken.end(), position) - taken.begin());
    }
  }
  return positions;
}

void append_number(std::string& text, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text += static_cast<char>((value & 0x7f) | 0x80);
  text += static_cast<char>(value);
}

void append_label(std::string& text, int label) {
  const auto bits = static_cast<std::uint32_t>(label);
  append_number(text, label < 0 ? ~bits * std::uint64_t{2} + 1 : bits * std::uint64_t{2});
}

}  // namespace

namespace {

std::string form_in_order(const Graph& graph, const std::vector<int>& positions, StopPoll& stop) {
  std::vector<std::pair<std::uint64_t, int>> pairs;  // (number of the node pair, edge label)
  pairs.reserve(graph.edges().size());
  for (int id = 0; id < graph.edge_count(); ++id) {
    stop();
    const Edge edge = graph.edges()[at(id)];
    const auto [low, high] = std::minmax(positions[at(edge.u)], positions[at(edge.v)]);
    const auto row = static_cast<std::uint64_t>(high);
    const int label = graph.has_edge_labels() ? graph.edge_labels()[at(id)] : 0;
    pairs.emplace_back(row * (row - 1) / 2 + static_cast<std::uint64_t>(low), label);
  }
  std::sort(pairs.begin(), pairs.end());

  std::string form;
  form.reserve(at(graph.node_count() + graph.edge_count()) + 8);
  form += static_cast<char>('0' + (graph.has_node_labels() ? 1 : 0) +
                            (graph.has_edge_labels() ? 2 : 0));
  append_number(form, static_cast<std::uint64_t>(graph.node_count()));
  if (graph.has_node_labels()) {
    std::vector<int> labels(at(graph.node_count()));
    for (int v = 0; v < graph.node_count(); ++v) {
      labels[at(positions[at(v)])] = graph.node_labels()[at(v)];
    }
    for (const int label : labels) append_label(form, label);
  }
  std::uint64_t previous = 0;
  for (const auto& [pair, label] : pairs) {
    append_number(form, pair - previous);
    if (graph.has_edge_labels()) append_label(form, label);
    previous = pair;
  }
  return form;
}

/// The connected parts, in any order; empty for a connected graph.
std::vector<Graph> parts_of(const Graph& graph, StopPoll& stop) {
  const Adjacency adjacency(graph);
  std::vector<int> part(at(graph.node_count()), -1);
  std::vector<int> place(at(graph.node_count()));  // of a node in its part
  std::vector<std::vector<int>> nodes_of;
  for (int root = 0; root < graph.node_count(); ++root) {
    if (part[at(root)] >= 0) continue;
    const auto number = static_cast<int>(nodes_of.size());
    std::vector<int>& nodes = nodes_of.emplace_back(1, root);
    part[at(root)] = number;
    for (std::size_t next = 0; next < nodes.size(); ++next) {
      const int node = nodes[next];
      place[at(node)] = static_cast<int>(next);
      stop(at(adjacency.degree(node)) + 1);
      for (const int other : adjacency.of(node)) {
        if (part[at(other)] >= 0) continue;
        part[at(other)] = number;
        nodes.push_back(other);
      }
    }
    if (nodes.size() == at(graph.node_count())) return {};
  }
  std::vector<std::vector<Edge>> edges(nodes_of.size());
  std::vector<std::vector<int>> edge_labels(nodes_of.size());
  for (int id = 0; id < graph.edge_count(); ++id) {
    stop();
    const Edge edge = graph.edges()[at(id)];
    const auto number = at(part[at(edge.u)]);
    edges[number].push_back({place[at(edge.u)], place[at(edge.v)]});
    if (graph.has_edge_labels()) edge_labels[number].push_back(graph.edge_labels()[at(id)]);
  }
  std::vector<Graph> parts;
  parts.reserve(nodes_of.size());
  for (std::size_t number = 0; number < nodes_of.size(); ++number) {
    stop(nodes_of[number].size());
    std::vector<int> labels;
    if (graph.has_node_labels()) {
      for (const int node : nodes_of[number]) labels.push_back(graph.node_labels()[at(node)]);
    }
    parts.emplace_back(static_cast<int>(nodes_of[number].size()), std::move(edges[number]),
                       std::move(labels), std::move(edge_labels[number]));
  }
  return parts;
}

}  // namespace

std::string canonical_form(const Graph& graph, StopPoll stop) {
  const ColouredGraph input = coloured(graph);
  if (std::optional<std::vector<int>> found = small_canonical_order(input)) {
    return form_in_order(graph, without_middles(*std::move(found), input, graph), stop);
  }
  std::vector<std::string> forms;
  for (const Graph& part : parts_of(graph, stop)) forms.push_back(canonical_form(part, stop));
  if (forms.empty()) {
    return form_in_order(graph, without_middles(reduced_canonical_order(input, stop), input, graph),
                         stop);
  }
  std::sort(forms.begin(), forms.end());
  std::string whole = "+";
  for (const std::string& form : forms) {
    append_number(whole, form.size());
    whole += form;
  }
  return whole;
}

}  // namespace bermuda
