#include "random_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/graph/renumber.hpp"

namespace bermuda {

void SizeRange::add_to(ParameterSet& set) {
  set.add("min-nodes", min_nodes_, fewest_nodes_, 1000, "fewest nodes of a graph")
      .add("max-nodes", max_nodes_, fewest_nodes_, 1000, "most nodes of a graph")
      .add("min-degree", min_degree_, 2, 50, "smallest mean degree of a graph's nodes")
      .add("max-degree", max_degree_, 2, 50, "largest mean degree of a graph's nodes");
}

SizeRange::Size SizeRange::fewest(int nodes, int spare_edges) const {
  return {nodes,
          std::max(static_cast<int>(std::ceil(nodes * min_degree_ / 2)), nodes + spare_edges)};
}

SizeRange::Size SizeRange::most(int nodes) const {
  return {nodes,
          std::min(static_cast<int>(std::floor(nodes * max_degree_ / 2)), nodes * (nodes - 1) / 2)};
}

void SizeRange::validate(int spare_edges) const {
  if (min_nodes_ > max_nodes_) {
    throw UsageError(
        fmt::format("--min-nodes {} is larger than --max-nodes {}", min_nodes_, max_nodes_));
  }
  if (min_degree_ > max_degree_) {
    throw UsageError(
        fmt::format("--min-degree {} is larger than --max-degree {}", min_degree_, max_degree_));
  }
  for (int nodes = min_nodes_; nodes <= max_nodes_; ++nodes) {
    const int low = fewest(nodes, spare_edges).edges;
    if (most(nodes).edges >= low) continue;
    throw UsageError(fmt::format(
        "mean degrees of {} to {} allow no graph of {} nodes; this task needs at least {} edges "
        "for these, at most {} of them fit --max-degree",
        min_degree_, max_degree_, nodes, low, most(nodes).edges));
  }
}

void SizeRange::check_room(int spare_edges, const std::function<double(int nodes)>& most_edges,
                           const std::string& who) const {
  for (int nodes = min_nodes_; nodes <= max_nodes_; ++nodes) {
    if (fewest(nodes, spare_edges).edges <= most_edges(nodes)) return;
  }
  throw UsageError(fmt::format(
      "mean degrees of {} or more are {} edges at least between {} nodes; {} have at most {:.0f}",
      min_degree_, fewest(max_nodes_, spare_edges).edges, max_nodes_, who,
      std::max(0.0, std::floor(most_edges(max_nodes_)))));
}

int SizeRange::most_spare_edges() const {
  int spare = most(min_nodes_).edges - min_nodes_;
  for (int nodes = min_nodes_; nodes <= max_nodes_; ++nodes) {
    spare = std::max(spare, most(nodes).edges - nodes);
  }
  return spare;
}

SizeRange::Size SizeRange::draw(RandomStream& random, int spare_edges) const {
  const int nodes = random.between(min_nodes_, max_nodes_);
  return {nodes, random.between(fewest(nodes, spare_edges).edges, most(nodes).edges)};
}

void grow_tree(BitGraph& graph, int first, int end, int grown, RandomStream& random) {
  for (int node = std::max(first + 1, grown); node < end; ++node) {
    graph.add(random.between(first, node - 1), node);
  }
}

void add_random_edges(BitGraph& graph, int first, int end, int count, RandomStream& random) {
  while (count > 0) {
    const int u = random.between(first, end - 1);
    const int v = random.between(first, end - 1);
    if (u == v || graph.has(u, v)) continue;
    graph.add(u, v);
    --count;
  }
}

namespace {

/// How many nodes are reached from this one, itself included; `seen` has none of them yet.
int reach(const BitGraph& graph, int node, std::uint64_t* seen) {
  Scratch<int, 64> queue(at(graph.node_count()));
  seen[at(node) / 64] |= std::uint64_t{1} << (at(node) % 64);
  queue[0] = node;
  std::size_t filled = 1;
  for (std::size_t done = 0; done < filled; ++done) {
    graph.for_new_neighbours(queue[done], seen, [&](int next) { queue[filled++] = next; });
  }
  return static_cast<int>(filled);
}

}  // namespace

int reachable_from(const BitGraph& graph, int node) {
  Scratch<std::uint64_t, 1> seen(graph.words());
  std::fill_n(seen.data(), graph.words(), 0);
  return reach(graph, node, seen.data());
}

int component_count(const BitGraph& graph) {
  Scratch<std::uint64_t, 1> seen(graph.words());
  std::fill_n(seen.data(), graph.words(), 0);
  int count = 0;
  for (int node = 0; node < graph.node_count(); ++node) {
    if ((seen[at(node) / 64] >> (at(node) % 64) & 1) != 0) continue;
    (void)reach(graph, node, seen.data());
    ++count;
  }
  return count;
}

Graph shuffled_graph(const BitGraph& graph, RandomStream& random) {
  const std::vector<int> number = random_numbers(graph.node_count(), random);
  std::vector<Edge> edges;
  graph.for_edges([&](int u, int v) {
    const auto [low, high] = std::minmax(number[at(u)], number[at(v)]);
    edges.push_back({low, high});
  });
  return Graph(graph.node_count(), std::move(edges));
}

}  // namespace bermuda
