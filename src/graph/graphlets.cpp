#include "bermuda/graph/graphlets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "bermuda/core/index.hpp"

namespace bermuda {
namespace {

int pair_count(int nodes) { return nodes * (nodes - 1) / 2; }
int pair_index(int i, int j) { return pair_count(std::max(i, j)) + std::min(i, j); }
bool has_pair(std::uint32_t pattern, int i, int j) { return pattern >> pair_index(i, j) & 1u; }

std::uint32_t permuted(std::uint32_t pattern, std::span<const int> order) {
  std::uint32_t result = 0;
  const int k = static_cast<int>(order.size());
  for (int j = 1; j < k; ++j) {
    for (int i = 0; i < j; ++i) {
      if (has_pair(pattern, i, j)) result |= 1u << pair_index(order[at(i)], order[at(j)]);
    }
  }
  return result;
}

bool connected(std::uint32_t pattern, int k) {
  unsigned reached = 1;
  for (int round = 1; round < k; ++round) {
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) {
        if (i != j && (reached >> i & 1u) != 0 && has_pair(pattern, i, j)) reached |= 1u << j;
      }
    }
  }
  return reached == (1u << k) - 1;
}

struct NamedGraphlet {
  std::string_view degrees;  // ascending
  int triangles;
  std::string_view name;
};

// Up to five nodes, degrees and the number of triangles tell all of these apart.
constexpr NamedGraphlet kNames[] = {
    {"0", 0, "node"},
    {"00", 0, "non-edge"},
    {"11", 0, "edge"},
    {"000", 0, "3 separate nodes"},
    {"011", 0, "edge + node"},
    {"112", 0, "3-path"},
    {"222", 1, "triangle"},
    {"0000", 0, "4 separate nodes"},
    {"0011", 0, "edge + 2 nodes"},
    {"0112", 0, "3-path + node"},
    {"1111", 0, "2 edges"},
    {"0222", 1, "triangle + node"},
    {"1113", 0, "claw"},
    {"1122", 0, "4-path"},
    {"1223", 1, "paw"},
    {"2222", 0, "4-cycle"},
    {"2233", 2, "diamond"},
    {"3333", 4, "4-clique"},
    {"00000", 0, "5 separate nodes"},
    {"11114", 0, "5-star"},
    {"11123", 0, "fork"},
    {"11222", 0, "5-path"},
    {"11224", 1, "cricket"},
    {"11233", 1, "bull"},
    {"12223", 1, "lollipop"},
    {"12223", 0, "banner"},
    {"22222", 0, "5-cycle"},
    {"22224", 2, "butterfly"},
    {"12234", 2, "dart"},
    {"12333", 2, "kite"},
    {"22233", 1, "house"},
    {"22233", 0, "K2,3"},
    {"22334", 3, "gem"},
    {"33334", 4, "4-wheel"},
    {"33444", 7, "5-clique without an edge"},
    {"44444", 10, "5-clique"},
};

std::string_view known_name(std::uint32_t pattern, int k) {
  std::string degrees(at(k), '0');
  int triangles = 0;
  for (int j = 1; j < k; ++j) {
    for (int i = 0; i < j; ++i) {
      if (!has_pair(pattern, i, j)) continue;
      ++degrees[at(i)];
      ++degrees[at(j)];
      for (int h = 0; h < i; ++h) {
        if (has_pair(pattern, h, i) && has_pair(pattern, h, j)) ++triangles;
      }
    }
  }
  std::sort(degrees.begin(), degrees.end());
  for (const NamedGraphlet& known : kNames) {
    if (known.degrees == degrees && known.triangles == triangles) return known.name;
  }
  return {};
}

/// ESU where a set of nodes is one machine word.
class SmallGraphEnumerator {
 public:
  static constexpr int kMostNodes = 64;

  SmallGraphEnumerator(const Graph& graph, const GraphletClasses& classes,
                       std::vector<std::uint64_t>& counts, StopPoll stop)
      : node_count_(graph.node_count()), classes_(classes), counts_(counts), stop_(stop) {
    for (const Edge& edge : graph.edges()) {
      rows_[at(edge.u)] |= std::uint64_t{1} << edge.v;
      rows_[at(edge.v)] |= std::uint64_t{1} << edge.u;
    }
  }

  void run() {
    for (int root = 0; root < node_count_; ++root) {
      above_ = root == kMostNodes - 1 ? 0 : ~std::uint64_t{0} << (root + 1);
      chosen_[0] = root;
      const std::uint64_t row = rows_[at(root)];
      extend(1, row & above_, row | std::uint64_t{1} << root, 0);
    }
  }

 private:
  std::uint32_t bits_of(int node, int chosen) const {
    std::uint32_t bits = 0;
    for (int i = 0; i < chosen; ++i) {
      bits |= static_cast<std::uint32_t>(rows_[at(node)] >> chosen_[at(i)] & 1u) << i;
    }
    return bits;
  }

  /// `seen` holds the chosen nodes and all of their neighbours.
  void extend(int chosen, std::uint64_t extension, std::uint64_t seen, std::uint32_t pattern) {
    stop_();
    const bool last = chosen + 1 == classes_.size();
    while (extension != 0) {
      const int node = std::countr_zero(extension);
      extension &= extension - 1;
      const std::uint32_t grown = pattern | bits_of(node, chosen) << pair_count(chosen);
      if (last) {
        ++counts_[at(classes_.class_of(grown))];
        continue;
      }
      chosen_[at(chosen)] = node;
      const std::uint64_t row = rows_[at(node)];
      extend(chosen + 1, extension | (row & ~seen & above_), seen | row, grown);
    }
  }

  int node_count_;
  const GraphletClasses& classes_;
  std::vector<std::uint64_t>& counts_;
  StopPoll stop_;
  std::uint64_t above_ = 0;
  std::array<int, kLargestGraphlet> chosen_{};
  std::array<std::uint64_t, kMostNodes> rows_{};
};

/// ESU for a graph of any size. touches_[v] says by bits which chosen nodes are neighbours of v;
/// a chosen node other than the root touches an earlier one, so "not seen yet" is touches_ == 0.
class LargeGraphEnumerator {
 public:
  LargeGraphEnumerator(const Graph& graph, const GraphletClasses& classes,
                       std::vector<std::uint64_t>& counts, StopPoll stop)
      : adjacency_(graph),
        classes_(classes),
        counts_(counts),
        stop_(stop),
        touches_(at(graph.node_count()), std::uint8_t{0}) {}

  void run() {
    for (root_ = 0; root_ < adjacency_.node_count(); ++root_) {
      extensions_[1].clear();
      choose(root_, 0, extensions_[1]);
      extend(1, 0);
      drop(root_, 0);
    }
  }

 private:
  void choose(int node, int place, std::vector<int>& extension) {
    for (const int next : adjacency_.of(node)) {
      if (touches_[at(next)] == 0 && next > root_) extension.push_back(next);
      touches_[at(next)] = static_cast<std::uint8_t>(touches_[at(next)] | 1u << place);
    }
  }
  void drop(int node, int place) {
    for (const int next : adjacency_.of(node)) {
      touches_[at(next)] = static_cast<std::uint8_t>(touches_[at(next)] & ~(1u << place));
    }
  }

  void extend(int chosen, std::uint32_t pattern) {
    const bool last = chosen + 1 == classes_.size();
    const std::vector<int>& extension = extensions_[at(chosen)];
    stop_(extension.size() + 1);
    for (std::size_t i = 0; i < extension.size(); ++i) {
      const int node = extension[i];
      const std::uint32_t grown = pattern | std::uint32_t{touches_[at(node)]} << pair_count(chosen);
      if (last) {
        ++counts_[at(classes_.class_of(grown))];
        continue;
      }
      std::vector<int>& next = extensions_[at(chosen) + 1];
      next.assign(extension.begin() + static_cast<std::ptrdiff_t>(i) + 1, extension.end());
      choose(node, chosen, next);
      extend(chosen + 1, grown);
      drop(node, chosen);
    }
  }

  const Adjacency adjacency_;
  const GraphletClasses& classes_;
  std::vector<std::uint64_t>& counts_;
  StopPoll stop_;
  std::vector<std::uint8_t> touches_;
  int root_ = 0;
  std::vector<std::vector<int>> extensions_ = std::vector<std::vector<int>>(kLargestGraphlet);
};

}  // namespace

const GraphletClasses& GraphletClasses::of_size(int k) {
  static const std::array<GraphletClasses, kLargestGraphlet> tables{
      GraphletClasses(1), GraphletClasses(2), GraphletClasses(3), GraphletClasses(4),
      GraphletClasses(5)};
  if (k < 1 || k > kLargestGraphlet) {
    throw UsageError(fmt::format("graphlets of {} nodes, expected 1 to {}", k, kLargestGraphlet));
  }
  return tables[at(k) - 1];
}

GraphletClasses::GraphletClasses(int k) : k_(k) {
  constexpr std::uint8_t kNone = 255;
  const std::uint32_t pattern_count = 1u << pair_count(k);
  class_of_.assign(pattern_count, kNone);

  std::vector<std::uint32_t> patterns(pattern_count);
  std::iota(patterns.begin(), patterns.end(), 0u);
  std::stable_sort(patterns.begin(), patterns.end(), [](std::uint32_t a, std::uint32_t b) {
    return std::popcount(a) < std::popcount(b);
  });
  for (const std::uint32_t pattern : patterns) {
    if (class_of_[pattern] != kNone) continue;
    const auto graphlet = static_cast<std::uint8_t>(representatives_.size());
    representatives_.push_back(pattern);
    connected_.push_back(connected(pattern, k));
    std::array<int, kLargestGraphlet> order{};
    const std::span<int> used(order.data(), at(k));
    std::iota(used.begin(), used.end(), 0);
    do {
      class_of_[permuted(pattern, used)] = graphlet;
    } while (std::next_permutation(used.begin(), used.end()));
  }
}

std::string GraphletClasses::name(int graphlet) const {
  const std::uint32_t pattern = representative(graphlet);
  const std::string_view known = known_name(pattern, k_);
  if (!known.empty()) return std::string(known);
  const int edges = std::popcount(pattern);
  int number = 1;
  for (int other = graphlet - 1; other >= 0 && std::popcount(representative(other)) == edges;
       --other) {
    ++number;
  }
  return fmt::format("{} nodes {} edges #{}", k_, edges, number);
}

std::vector<std::uint64_t> count_connected_graphlets(const Graph& graph, int k, StopPoll stop) {
  if (k < 3 || k > kLargestGraphlet) {
    throw UsageError(fmt::format("graphlets of {} nodes, expected 3 to {}", k, kLargestGraphlet));
  }
  const GraphletClasses& classes = GraphletClasses::of_size(k);
  std::vector<std::uint64_t> counts(at(classes.class_count()), 0);
  if (graph.node_count() <= SmallGraphEnumerator::kMostNodes) {
    SmallGraphEnumerator(graph, classes, counts, stop).run();
  } else {
    LargeGraphEnumerator(graph, classes, counts, stop).run();
  }
  return counts;
}

double count_subtrees(const Graph& graph, int k) {
  const std::vector<int> degrees = graph.degrees();
  std::vector<double> sums(degrees.size(), 0);
  std::vector<double> squares(degrees.size(), 0);
  double paths4 = 0;
  for (const Edge& edge : graph.edges()) {
    const auto u = at(edge.u);
    const auto v = at(edge.v);
    const double a = degrees[u] - 1.0;
    const double b = degrees[v] - 1.0;
    paths4 += a * b;
    sums[u] += b;
    sums[v] += a;
    squares[u] += b * b;
    squares[v] += a * a;
  }
  double total = k == 4 ? paths4 : 0;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const double d = degrees[v];
    if (k == 3) total += d * (d - 1) / 2;
    if (k == 4) total += d * (d - 1) * (d - 2) / 6;
    if (k == 5) {
      total += d * (d - 1) * (d - 2) * (d - 3) / 24;
      total += (sums[v] * sums[v] - squares[v]) / 2;
      total += (d - 1) * (d - 2) / 2 * sums[v];
    }
  }
  return total;
}

}  // namespace bermuda
