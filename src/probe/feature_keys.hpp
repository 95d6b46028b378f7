#pragma once

#include <cstdint>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// The undermanned features of graphs, each as one number: template, smaller degree, larger degree,
/// count (0: presence).
class FeatureKeys {
 public:
  /// Those of a graph, ascending; valid until the next call. O(nodes + edges) unless a degree is
  /// large.
  const std::vector<std::uint64_t>& of(const Graph& graph);

 private:
  void add_small(const Graph& graph);
  void add_large(const Graph& graph);

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> degrees_;
  std::vector<std::uint64_t> pairs_;
  std::vector<std::uint32_t> counts_;  // of small degrees and of their pairs; zero between calls
};

}  // namespace bermuda
