#include "ring_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bermuda/core/index.hpp"

namespace bermuda {
namespace {

constexpr double kApart = 36;  // points between neighbours on a ring and between rings

/// The nodes of each ring, in the order in which they are reached.
std::vector<std::vector<int>> rings_of(const Graph& graph) {
  const Adjacency adjacency(graph);
  std::vector<int> by_degree(at(graph.node_count()));
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::ranges::stable_sort(by_degree,
                           [&](int a, int b) { return adjacency.degree(a) > adjacency.degree(b); });
  std::vector<bool> reached(at(graph.node_count()), false);
  std::vector<std::vector<int>> rings;
  for (const int middle : by_degree) {
    if (reached[at(middle)]) continue;
    reached[at(middle)] = true;
    std::vector<int> front{middle};
    for (std::size_t ring = 0; !front.empty(); ++ring) {
      if (ring == rings.size()) rings.emplace_back();
      rings[ring].insert(rings[ring].end(), front.begin(), front.end());
      std::vector<int> next;
      for (const int node : front) {
        for (const int other : adjacency.of(node)) {
          if (reached[at(other)]) continue;
          reached[at(other)] = true;
          next.push_back(other);
        }
      }
      front = std::move(next);
    }
  }
  return rings;
}

}  // namespace

std::vector<RingPlace> ring_layout(const Graph& graph) {
  std::vector<RingPlace> places(at(graph.node_count()));
  double radius = 0;
  bool first = true;
  for (const std::vector<int>& ring : rings_of(graph)) {
    const auto count = static_cast<double>(ring.size());
    const double least = ring.size() > 1 ? kApart * count / (2 * std::numbers::pi) : 0;
    radius = std::max(first ? 0 : radius + kApart, least);
    first = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / count;
      places[at(ring[i])] = {radius * std::cos(angle), radius * std::sin(angle)};
    }
  }
  return places;
}

}  // namespace bermuda
