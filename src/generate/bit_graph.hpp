#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bermuda/graph/graph.hpp"
#include "scratch.hpp"

namespace bermuda {

/// A graph under construction: an adjacency matrix of bits, so that common neighbours are one AND.
/// One word per row up to 64 nodes, which covers the paper's sizes.
class BitGraph {
 public:
  explicit BitGraph(int nodes)
      : nodes_(nodes),
        words_((static_cast<std::size_t>(nodes) + 63) / 64),
        bits_(static_cast<std::size_t>(nodes) * words_) {
    std::fill_n(bits_.data(), static_cast<std::size_t>(nodes) * words_, 0);
  }

  explicit BitGraph(const Graph& graph) : BitGraph(graph.node_count()) {
    for (const Edge& edge : graph.edges()) add(edge.u, edge.v);
  }

  int node_count() const { return nodes_; }
  /// How many words a set of nodes has.
  std::size_t words() const { return words_; }
  bool has(int u, int v) const { return (row(u)[word(v)] >> bit(v) & 1U) != 0; }
  void add(int u, int v) {
    row(u)[word(v)] |= mask(v);
    row(v)[word(u)] |= mask(u);
  }
  void remove(int u, int v) {
    row(u)[word(v)] &= ~mask(v);
    row(v)[word(u)] &= ~mask(u);
  }
  bool is_isolated(int u) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if (row(u)[w] != 0) return false;
    }
    return true;
  }
  /// Calls visit(v) for the neighbours v of u, ascending.
  template <typename Visit>
  void for_neighbours(int u, Visit visit) const {
    for (std::size_t w = 0; w < words_; ++w) for_bits(w, row(u)[w], visit);
  }
  /// Calls visit(v) for the neighbours v of u that are not in the set, ascending, and adds them.
  template <typename Visit>
  void for_new_neighbours(int u, std::uint64_t* seen, Visit visit) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t fresh = row(u)[w] & ~seen[w];
      seen[w] |= fresh;
      for_bits(w, fresh, visit);
    }
  }
  /// Calls visit(w) for the common neighbours w > after of u and v, ascending.
  template <typename Visit>
  void for_common_neighbours(int u, int v, int after, Visit visit) const {
    for (std::size_t w = word(after); w < words_; ++w) {
      std::uint64_t common = row(u)[w] & row(v)[w];
      if (w == word(after)) common &= ~(mask(after) | (mask(after) - 1));
      for_bits(w, common, visit);
    }
  }
  /// Calls visit(u, v) for the edges u < v, sorted.
  template <typename Visit>
  void for_edges(Visit visit) const {
    for (int u = 0; u < nodes_; ++u) {
      for (std::size_t w = word(u); w < words_; ++w) {
        const std::uint64_t above = w == word(u) ? ~(mask(u) | (mask(u) - 1)) : ~std::uint64_t{0};
        for_bits(w, row(u)[w] & above, [&](int v) { visit(u, v); });
      }
    }
  }
  /// All edges, sorted.
  std::vector<Edge> edges() const {
    std::vector<Edge> list;
    list.reserve(static_cast<std::size_t>(nodes_) * 2);
    for_edges([&](int u, int v) { list.push_back({u, v}); });
    return list;
  }

 private:
  template <typename Visit>
  static void for_bits(std::size_t word_index, std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) {
      visit(static_cast<int>(word_index) * 64 + std::countr_zero(bits));
    }
  }
  static std::size_t word(int v) { return static_cast<std::size_t>(v) / 64; }
  static unsigned bit(int v) { return static_cast<unsigned>(v) % 64; }
  static std::uint64_t mask(int v) { return std::uint64_t{1} << bit(v); }
  std::uint64_t* row(int u) { return bits_.data() + static_cast<std::size_t>(u) * words_; }
  const std::uint64_t* row(int u) const {
    return bits_.data() + static_cast<std::size_t>(u) * words_;
  }

  int nodes_;
  std::size_t words_;
  Scratch<std::uint64_t, 64> bits_;
};

}  // namespace bermuda
