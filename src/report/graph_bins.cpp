#include "bermuda/report/graph_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace bermuda {
namespace {

/// `last` holds the largest value of each bin, ascending, and is a value itself. A name begins with
/// the smallest value that occurs, not with the end of the bin before.
Bins sort_into(std::span<const int> values, const std::vector<int>& last, bool open_end) {
  Bins bins;
  std::vector<int> first = last;
  for (const int value : values) {
    const auto bin = static_cast<std::size_t>(std::ranges::lower_bound(last, value) - last.begin());
    bins.bin_of.push_back(bin);
    first[bin] = std::min(first[bin], value);
  }
  for (std::size_t i = 0; i < last.size(); ++i) {
    const bool open = open_end && i + 1 == last.size() && first[i] < last[i];
    bins.names.push_back(open                  ? fmt::format("{} or more", first[i])
                         : first[i] == last[i] ? fmt::format("{}", first[i])
                                               : fmt::format("{}-{}", first[i], last[i]));
  }
  return bins;
}

}  // namespace

int witness_distance(const Witness& witness) {
  const std::set<Edge> edges(witness.edges.begin(), witness.edges.end());
  const auto joined = [&](int u, int v) {
    return edges.contains({std::min(u, v), std::max(u, v)});
  };
  return static_cast<int>(std::ranges::count_if(witness.edges, [&](const Edge& edge) {
    return std::ranges::none_of(witness.nodes, [&](int node) {
      return node != edge.u && node != edge.v && joined(node, edge.u) && joined(node, edge.v);
    });
  }));
}

int independent_cycles(const Graph& graph) {
  std::vector<int> parent(static_cast<std::size_t>(graph.node_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int node) {
    while (parent[static_cast<std::size_t>(node)] != node) {
      node = parent[static_cast<std::size_t>(node)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(node)])];
    }
    return node;
  };
  int cycles = 0;
  for (const Edge& edge : graph.edges()) {
    const int u = root(edge.u);
    const int v = root(edge.v);
    if (u == v) ++cycles;
    parent[static_cast<std::size_t>(u)] = v;
  }
  return cycles;
}

Bins quantile_bins(std::span<const int> values, std::size_t most) {
  if (values.empty()) return {};
  std::vector<int> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  std::vector<int> last;
  for (std::size_t i = 1; i <= most; ++i) {
    const int end = sorted[(sorted.size() * i + most - 1) / most - 1];
    if (last.empty() || end > last.back()) last.push_back(end);
  }
  return sort_into(values, last, false);
}

Bins value_bins(std::span<const int> values, std::size_t most) {
  if (values.empty()) return {};
  const std::set<int> distinct(values.begin(), values.end());
  std::vector<int> last(distinct.begin(), distinct.end());
  const bool cut = last.size() > most;
  if (cut) last.erase(last.begin() + static_cast<std::ptrdiff_t>(most) - 1, last.end() - 1);
  return sort_into(values, last, cut);
}

}  // namespace bermuda
