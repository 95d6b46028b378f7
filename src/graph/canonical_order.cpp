#include "canonical_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "bermuda/core/index.hpp"

namespace bermuda {
namespace {

constexpr int kMostNodes = 64;
constexpr int kMostLeaves = 64;

using NodeSet = std::uint64_t;

NodeSet only(int node) { return NodeSet{1} << node; }
bool is_single(NodeSet set) { return (set & (set - 1)) == 0; }

/// Takes the smallest node out of the set.
int pop_node(NodeSet& set) {
  const int node = std::countr_zero(set);
  set &= set - 1;
  return node;
}

/// An ordered partition of the nodes.
struct Partition {
  std::array<NodeSet, kMostNodes> cells{};
  int count = 0;

  /// Puts `parts` in the place of one cell.
  void replace(int cell, std::span<const NodeSet> parts) {
    const auto extra = static_cast<int>(parts.size()) - 1;
    std::copy_backward(cells.begin() + cell + 1, cells.begin() + count,
                       cells.begin() + count + extra);
    std::copy(parts.begin(), parts.end(), cells.begin() + cell);
    count += extra;
  }
};

class Search {
 public:
  explicit Search(const ColouredGraph& graph) : node_count_(graph.node_count) {
    for (const Edge& edge : graph.edges) {
      rows_[at(edge.u)] |= only(edge.v);
      rows_[at(edge.v)] |= only(edge.u);
    }
  }

  /// Nothing when the tree has too many leaves. Every choice below depends on the place of a cell
  /// and on counts only, so that isomorphic graphs have the same tree, and the same answer here.
  std::optional<std::vector<int>> run(Partition start) {
    splitters_.assign(start.cells.begin(), start.cells.begin() + start.count);
    refine(start);
    visit(start);
    if (leaves_ > kMostLeaves) return std::nullopt;
    return best_;
  }

 private:
  /// Splits cells until all nodes of a cell have the same number of neighbours in every cell.
  /// splitters_ holds the cells to begin with.
  void refine(Partition& partition);
  void visit(const Partition& partition);
  void visit_leaf(const Partition& partition);

  bool are_twins(int u, int v) const {
    return ((rows_[at(u)] ^ rows_[at(v)]) & ~(only(u) | only(v))) == 0;
  }
  /// One node of each class of twins of the cell. Twins can change places without any other node
  /// noticing, so that one stands for all.
  NodeSet without_twins(NodeSet cell) const {
    NodeSet kept = 0;
    while (cell != 0) {
      const int node = pop_node(cell);
      NodeSet others = kept;
      bool is_new = true;
      while (others != 0 && is_new) is_new = !are_twins(node, pop_node(others));
      if (is_new) kept |= only(node);
    }
    return kept;
  }

  int node_count_;
  int leaves_ = 0;
  std::array<NodeSet, kMostNodes> rows_{};
  std::array<NodeSet, kMostNodes> best_rows_{};
  std::vector<int> best_;
  std::vector<NodeSet> splitters_;
};

void Search::refine(Partition& partition) {
  for (std::size_t next = 0; next < splitters_.size(); ++next) {
    const NodeSet splitter = splitters_[next];
    for (int cell = 0; cell < partition.count; ++cell) {
      const NodeSet nodes = partition.cells[at(cell)];
      if (is_single(nodes)) continue;
      std::array<NodeSet, kMostNodes> with_count;  // where counts_seen has the bit
      NodeSet counts_seen = 0;
      for (NodeSet rest = nodes; rest != 0;) {
        const int node = pop_node(rest);
        const int count = std::popcount(rows_[at(node)] & splitter);
        if ((counts_seen & only(count)) == 0) with_count[at(count)] = 0;
        counts_seen |= only(count);
        with_count[at(count)] |= only(node);
      }
      if (is_single(counts_seen)) continue;
      std::array<NodeSet, kMostNodes> parts;
      int part_count = 0;
      while (counts_seen != 0) parts[at(part_count++)] = with_count[at(pop_node(counts_seen))];
      const std::span<const NodeSet> found(parts.data(), at(part_count));
      partition.replace(cell, found);
      splitters_.insert(splitters_.end(), found.begin(), found.end());
      cell += part_count - 1;
    }
    if (partition.count == node_count_) return;
  }
}

void Search::visit(const Partition& partition) {
  if (leaves_ > kMostLeaves) return;
  if (partition.count == node_count_) return visit_leaf(partition);
  int target = -1;
  NodeSet branches = 0;
  for (int cell = 0; cell < partition.count; ++cell) {
    if (is_single(partition.cells[at(cell)])) continue;
    const NodeSet nodes = without_twins(partition.cells[at(cell)]);
    if (target >= 0 && std::popcount(nodes) >= std::popcount(branches)) continue;
    target = cell;
    branches = nodes;
    if (is_single(branches)) break;
  }
  while (branches != 0) {
    const int node = pop_node(branches);
    Partition child = partition;
    child.replace(target, std::array{only(node), partition.cells[at(target)] & ~only(node)});
    splitters_.assign(1, only(node));
    refine(child);
    visit(child);
  }
}

void Search::visit_leaf(const Partition& partition) {
  ++leaves_;
  std::vector<int> positions(at(node_count_));
  for (int place = 0; place < node_count_; ++place) {
    positions[at(std::countr_zero(partition.cells[at(place)]))] = place;
  }
  std::array<NodeSet, kMostNodes> rows{};
  for (int v = 0; v < node_count_; ++v) {
    for (NodeSet rest = rows_[at(v)]; rest != 0;) {
      rows[at(positions[at(v)])] |= only(positions[at(pop_node(rest))]);
    }
  }
  if (best_.empty() || rows < best_rows_) {
    best_rows_ = rows;
    best_ = std::move(positions);
  }
}

/// Cells in the order of the colours.
Partition partition_by_colour(const ColouredGraph& graph) {
  std::vector<int> order(at(graph.node_count));
  std::iota(order.begin(), order.end(), 0);
  const auto colour = [&](int v) { return graph.colours.empty() ? 0 : graph.colours[at(v)]; };
  if (!graph.colours.empty()) {
    std::ranges::sort(order, [&](int u, int v) { return colour(u) < colour(v); });
  }
  Partition partition;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || colour(order[i - 1]) != colour(order[i])) ++partition.count;
    partition.cells[at(partition.count) - 1] |= only(order[i]);
  }
  return partition;
}

}  // namespace

std::optional<std::vector<int>> small_canonical_order(const ColouredGraph& graph) {
  if (graph.node_count > kMostNodes) return std::nullopt;
  if (graph.node_count == 0) return std::vector<int>{};
  return Search(graph).run(partition_by_colour(graph));
}

}  // namespace bermuda
