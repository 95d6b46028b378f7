#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda::verify {

/// The slow, plain definitions that data sets are checked by. On purpose nothing here is shared
/// with the generators, which use bit sets and neighbour lists.
class AdjacencyMatrix {
 public:
  /// n x n bytes: graphs above this size are not recounted.
  static constexpr int kMostNodes = 4096;

  explicit AdjacencyMatrix(const Graph& graph, const StopPoll& stop = {});
  int size() const { return size_; }
  bool joined(int u, int v) const {
    return cells_[static_cast<std::size_t>(u) * static_cast<std::size_t>(size_) +
                  static_cast<std::size_t>(v)] != 0;
  }
  /// The same without this edge.
  AdjacencyMatrix without(int u, int v) const;
  /// For the loops over it, which take long on large graphs. Throws Interrupted.
  void poll(std::size_t steps = 1) const { stop_(steps); }

 private:
  int size_;
  std::vector<char> cells_;
  mutable StopPoll stop_;
};

/// Every triangle as its nodes, ascending; O(n^2 + edges * n). Stops after `most` of them.
std::vector<std::array<int, 3>> find_triangles(const AdjacencyMatrix& matrix, std::size_t most);

/// Every set of k nodes that are all joined, as ascending nodes; stops after `most` of them.
std::vector<std::vector<int>> find_cliques(const AdjacencyMatrix& matrix, int k, std::size_t most);

/// Edges on a shortest path between the two sets of nodes; nothing when no path joins them.
std::optional<int> distance_between(const AdjacencyMatrix& matrix, std::span<const int> from,
                                    std::span<const int> to);

/// The nodes of every component, ascending; components by their smallest node. O(n^2).
std::vector<std::vector<int>> find_components(const AdjacencyMatrix& matrix);

}  // namespace bermuda::verify
