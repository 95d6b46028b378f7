#include "arcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fields.hpp"

namespace bermuda {

std::vector<MergedEdge> merge_arcs(std::vector<Arc>& arcs) {
  const auto edge_of = [](const Arc& arc) {
    return Edge{std::min(arc.from, arc.to), std::max(arc.from, arc.to)};
  };
  std::sort(arcs.begin(), arcs.end(), [&](const Arc& a, const Arc& b) {
    const Edge edge_a = edge_of(a);
    const Edge edge_b = edge_of(b);
    return std::tie(edge_a.u, edge_a.v, a.line) < std::tie(edge_b.u, edge_b.v, b.line);
  });
  std::vector<MergedEdge> edges;
  edges.reserve(arcs.size() / 2 + 1);
  const auto fail = [](const Arc& arc, long earlier) {
    throw Fault{fmt::format("edge {}-{} again", arc.from, arc.to),
                fmt::format("it once (line {})", earlier), arc.line};
  };
  const Arc* first = nullptr;
  for (const Arc& arc : arcs) {
    if (edges.empty() || edges.back().edge != edge_of(arc)) {
      edges.push_back({edge_of(arc), arc.line, 0});
      first = &arc;
      continue;
    }
    MergedEdge& edge = edges.back();
    if (arc.from == first->from) fail(arc, edge.line);
    if (edge.reverse_line != 0) fail(arc, edge.reverse_line);
    edge.reverse_line = arc.line;
  }
  return edges;
}

}  // namespace bermuda
