#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

inline constexpr int kLargestGraphlet = 5;

/// The isomorphism classes of graphs on k = 1..5 nodes and a lookup from adjacency bits to class:
/// bit i of the pattern is the i-th pair in the order (0,1), (0,2), (1,2), (0,3), (1,3), (2,3), ...
/// Classes are numbered by ascending edge count, then by smallest pattern.
class GraphletClasses {
 public:
  /// The table for k nodes, made once and shared.
  static const GraphletClasses& of_size(int k);

  int size() const { return k_; }
  int class_count() const { return static_cast<int>(representatives_.size()); }
  int class_of(std::uint32_t pattern) const { return class_of_[pattern]; }
  bool is_connected(int graphlet) const { return connected_[static_cast<std::size_t>(graphlet)]; }
  /// One pattern of the class, the smallest.
  std::uint32_t representative(int graphlet) const {
    return representatives_[static_cast<std::size_t>(graphlet)];
  }
  /// A short name for people: "triangle", "4-path", "5 nodes 7 edges #2".
  std::string name(int graphlet) const;

 private:
  explicit GraphletClasses(int k);
  int k_;
  std::vector<std::uint8_t> class_of_;
  std::vector<std::uint32_t> representatives_;
  std::vector<bool> connected_;
};

/// counts[c] = number of connected induced subgraphs of class c on k nodes (k = 3, 4, 5), by
/// enumeration (ESU, Wernicke 2006): each is met once, so the cost is proportional to the answer.
/// Classes that are not connected stay zero.
std::vector<std::uint64_t> count_connected_graphlets(const Graph& graph, int k, StopPoll stop = {});

/// At most so many connected subgraphs of k nodes (3, 4, 5) are there to visit: the subtrees of k
/// nodes (stars, paths, forks), since each connected subgraph has a spanning tree. Time in
/// proportion to the edges.
double count_subtrees(const Graph& graph, int k);

}  // namespace bermuda
