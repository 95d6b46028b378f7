#include "named_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bermuda/core/text.hpp"
#include "fields.hpp"

namespace bermuda {

int NamedGraph::node(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  const int number = node_count();
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
}

void NamedGraph::add_edge(int from, int to, long line) {
  if (from == to) {
    throw Fault{fmt::format("self loop at node {}", in_quotes(name(from))), "two different nodes",
                line};
  }
  arcs_.push_back({from, to, line});
}

long NamedGraph::line_at(int node) const {
  const auto found = std::ranges::find_if(
      arcs_, [&](const Arc& arc) { return arc.from == node || arc.to == node; });
  return found == arcs_.end() ? 0 : found->line;
}

void NamedGraph::sort_by_number() {
  std::vector<long> values;
  for (const std::string& name : names_) {
    const std::optional<long> value = parse_number<long>(name);
    if (!value) return;
    values.push_back(*value);
  }
  std::vector<int> order(names_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](int node) { return values[static_cast<std::size_t>(node)]; });
  std::vector<int> place(names_.size());
  std::vector<std::string> names;
  for (const int node : order) {
    place[static_cast<std::size_t>(node)] = static_cast<int>(names.size());
    names.push_back(std::move(names_[static_cast<std::size_t>(node)]));
  }
  names_ = std::move(names);
  for (auto& [name, number] : numbers_) number = place[static_cast<std::size_t>(number)];
  for (Arc& arc : arcs_) {
    arc.from = place[static_cast<std::size_t>(arc.from)];
    arc.to = place[static_cast<std::size_t>(arc.to)];
  }
}

std::vector<NamedGraph::NamedEdge> NamedGraph::edges() const {
  // Several edges may share a line of XML, so merge_arcs() is given their numbers instead.
  std::vector<Arc> numbered = arcs_;
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i].line = static_cast<long>(i) + 1;
  const auto arc_of = [&](long line) -> const Arc& {
    return arcs_[static_cast<std::size_t>(line) - 1];
  };
  std::vector<MergedEdge> merged;
  try {
    merged = merge_arcs(numbered);
  } catch (const Fault& fault) {
    const Arc& arc = arc_of(fault.line);
    throw Fault{fmt::format("edge {} again", words(arc)), "it once", arc.line};
  }
  const bool has_pairs =
      std::ranges::any_of(merged, [](const MergedEdge& edge) { return edge.reverse_line != 0; });
  std::vector<NamedEdge> edges;
  edges.reserve(merged.size());
  for (const MergedEdge& edge : merged) {
    NamedEdge& named =
        edges.emplace_back(NamedEdge{edge.edge, static_cast<std::size_t>(edge.line) - 1, {}});
    if (edge.reverse_line != 0) {
      named.reverse = static_cast<std::size_t>(edge.reverse_line) - 1;
    } else if (has_pairs) {
      const Arc& arc = arc_of(edge.line);
      throw Fault{fmt::format("edge {} without its reverse", words(arc)),
                  "both directions, as for other edges of this file", arc.line};
    }
  }
  return edges;
}

std::string NamedGraph::words(const Arc& arc) const {
  return in_quotes(fmt::format("{}-{}", name(arc.from), name(arc.to)));
}

}  // namespace bermuda
