#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "bermuda/core/child.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/graph/canonical.hpp"
#include "canonical_order.hpp"

namespace bermuda {
namespace {

// BLISS answers within a fraction of a second up to here.
constexpr int kMostOrderedInProcess = 10'000;

/// Nodes of one colour with the same neighbours, ascending, one list per kind; kinds in no order.
std::vector<std::vector<int>> twins_of(const ColouredGraph& graph, StopPoll stop) {
  const Adjacency adjacency(Graph(graph.node_count, graph.edges));
  const auto colour = [&](int v) { return graph.colours.empty() ? 0 : graph.colours[at(v)]; };
  std::vector<int> order(at(graph.node_count));
  std::iota(order.begin(), order.end(), 0);
  const auto compare = [&](int a, int b) {
    stop();
    if (colour(a) != colour(b)) return colour(a) <=> colour(b);
    const std::span<const int> of_a = adjacency.of(a);
    const std::span<const int> of_b = adjacency.of(b);
    if (of_a.size() != of_b.size()) return of_a.size() <=> of_b.size();
    return std::lexicographical_compare_three_way(of_a.begin(), of_a.end(), of_b.begin(),
                                                  of_b.end());
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return compare(a, b) < 0; });
  std::vector<std::vector<int>> twins;
  for (const int node : order) {
    if (twins.empty() || compare(twins.back().front(), node) != 0) twins.emplace_back();
    twins.back().push_back(node);
  }
  return twins;
}

/// One node per list of twins, whose colour tells the old one and how many it stands for.
ColouredGraph reduced(const ColouredGraph& graph, const std::vector<std::vector<int>>& twins) {
  ColouredGraph result;
  result.node_count = static_cast<int>(twins.size());
  std::vector<int> number(at(graph.node_count), -1);
  std::vector<std::pair<int, std::size_t>> kinds;
  for (std::size_t i = 0; i < twins.size(); ++i) {
    const int first = twins[i].front();
    number[at(first)] = static_cast<int>(i);
    kinds.emplace_back(graph.colours.empty() ? 0 : graph.colours[at(first)], twins[i].size());
  }
  for (const Edge& edge : graph.edges) {
    const int u = number[at(edge.u)];
    const int v = number[at(edge.v)];
    if (u >= 0 && v >= 0) result.edges.push_back({u, v});
  }
  std::vector<std::pair<int, std::size_t>> known = kinds;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const auto& kind : kinds) {
    result.colours.push_back(
        static_cast<int>(std::lower_bound(known.begin(), known.end(), kind) - known.begin()));
  }
  return result;
}

std::vector<int> order_by_bliss(const ColouredGraph& graph, const StopPoll& stop) {
  if (graph.node_count <= kMostOrderedInProcess) return bliss_canonical_order(graph, stop);
  const std::string bytes = run_in_child(stop, [&]() -> std::string {
    try {
      const std::vector<int> order = bliss_canonical_order(graph, stop);
      return {reinterpret_cast<const char*>(order.data()), order.size() * sizeof(int)};
    } catch (const CanonicalFormError& error) {
      return error.what();  // shorter than any order of this size
    }
  });
  std::vector<int> order(at(graph.node_count));
  if (bytes.size() != order.size() * sizeof(int)) throw CanonicalFormError(bytes);
  std::memcpy(order.data(), bytes.data(), order.size() * sizeof(int));
  return order;
}

}  // namespace

std::vector<int> reduced_canonical_order(const ColouredGraph& graph, const StopPoll& stop) {
  const std::vector<std::vector<int>> twins = twins_of(graph, stop);
  if (twins.size() == at(graph.node_count)) return order_by_bliss(graph, stop);
  const std::vector<int> order = order_by_bliss(reduced(graph, twins), stop);
  std::vector<std::size_t> kind_at(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) kind_at[at(order[i])] = i;
  std::vector<int> positions(at(graph.node_count));
  int next = 0;
  for (const std::size_t kind : kind_at) {
    for (const int node : twins[kind]) positions[at(node)] = next++;
  }
  return positions;
}

}  // namespace bermuda
