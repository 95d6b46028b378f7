#include "graphlet_sampling.hpp"

#include <algorithm>
#include <array>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/graphlets.hpp"

namespace bermuda {
namespace {

// "Is u-v an edge?" by bits: one load and a shift.
class AdjacencyBits {
 public:
  explicit AdjacencyBits(const Graph& graph)
      : words_((at(graph.node_count()) + 63) / 64), bits_(at(graph.node_count()) * words_, 0) {
    for (const Edge& edge : graph.edges()) {
      set(edge.u, edge.v);
      set(edge.v, edge.u);
    }
  }
  std::uint32_t has(int u, int v) const {
    return bits_[at(u) * words_ + at(v) / 64] >> (at(v) % 64) & 1U;
  }

 private:
  void set(int u, int v) { bits_[at(u) * words_ + at(v) / 64] |= std::uint64_t{1} << (at(v) % 64); }
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// Above this many nodes a bit matrix would be too large; neighbour lists are searched instead.
constexpr int kMostNodesForBits = 4096;

using NodeSet = std::array<int, kLargestGraphlet>;

void draw_any(NodeSet& nodes, int size, int node_count, RandomStream& random) {
  for (int i = 0; i < size; ++i) {
    int node = 0;
    do {
      node = random.between(0, node_count - 1);
    } while (std::find(nodes.begin(), nodes.begin() + i, node) != nodes.begin() + i);
    nodes[at(i)] = node;
  }
}

// False when the component of the first node is too small.
bool draw_connected(NodeSet& nodes, int size, const Adjacency& adjacency, RandomStream& random,
                    std::vector<int>& frontier) {
  nodes[0] = random.between(0, adjacency.node_count() - 1);
  for (int i = 1; i < size; ++i) {
    frontier.clear();
    for (int j = 0; j < i; ++j) {
      for (const int next : adjacency.of(nodes[at(j)])) {
        if (std::find(nodes.begin(), nodes.begin() + i, next) != nodes.begin() + i) continue;
        if (std::find(frontier.begin(), frontier.end(), next) == frontier.end()) {
          frontier.push_back(next);
        }
      }
    }
    if (frontier.empty()) return false;
    nodes[at(i)] = frontier[random.below(static_cast<std::uint32_t>(frontier.size()))];
  }
  return true;
}

template <typename HasEdge>
std::uint32_t pattern_of(const NodeSet& nodes, int size, HasEdge has_edge) {
  std::uint32_t pattern = 0;
  unsigned bit = 0;
  for (int j = 1; j < size; ++j) {
    for (int i = 0; i < j; ++i) pattern |= has_edge(nodes[at(i)], nodes[at(j)]) << bit++;
  }
  return pattern;
}

template <typename HasEdge>
CountsBySize sample(const Graph& graph, GraphletSizes sizes, int samples, bool connected,
                    RandomStream& random, StopPoll& stop, HasEdge has_edge) {
  CountsBySize counts;
  for (int size = sizes.least; size <= sizes.most; ++size) {
    counts[at(size)].assign(at(GraphletClasses::of_size(size).class_count()), 0);
  }
  const Adjacency adjacency(graph);
  std::vector<int> frontier;
  NodeSet nodes{};
  for (int s = 0; s < samples; ++s) {
    const int size =
        sizes.least == sizes.most ? sizes.most : random.between(sizes.least, sizes.most);
    stop(at(size) + frontier.size());
    if (!connected) {
      draw_any(nodes, size, graph.node_count(), random);
    } else if (!draw_connected(nodes, size, adjacency, random, frontier)) {
      continue;
    }
    const std::uint32_t pattern = pattern_of(nodes, size, has_edge);
    ++counts[at(size)][at(GraphletClasses::of_size(size).class_of(pattern))];
  }
  return counts;
}

}  // namespace

CountsBySize sample_graphlets(const Graph& graph, GraphletSizes sizes, int samples, bool connected,
                              RandomStream random, StopPoll stop) {
  if (graph.node_count() == 0) return {};
  const GraphletSizes there = {std::min(sizes.least, graph.node_count()),
                               std::min(sizes.most, graph.node_count())};
  if (graph.node_count() <= kMostNodesForBits) {
    const AdjacencyBits bits(graph);
    return sample(graph, there, samples, connected, random, stop,
                  [&](int u, int v) { return bits.has(u, v); });
  }
  return sample(graph, there, samples, connected, random, stop,
                [&](int u, int v) { return graph.has_edge(u, v) ? 1U : 0U; });
}

}  // namespace bermuda
