#include "feature_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace bermuda {
namespace {

enum class Template : std::uint64_t { kDegree, kDegreePair, kNodes, kEdges };

constexpr int kFieldBits = 20;
constexpr std::uint64_t kLargestField = (1U << kFieldBits) - 1;

std::uint64_t field(std::uint64_t value) { return std::min(value, kLargestField); }

std::uint64_t feature_key(Template kind, std::uint64_t a, std::uint64_t b, std::uint64_t count) {
  return static_cast<std::uint64_t>(kind) << (3 * kFieldBits) | field(a) << (2 * kFieldBits) |
         field(b) << kFieldBits | field(count);
}

// Degrees below are counted in a table, and a bit tells which entries are not zero: the bits come
// out in order, so that nothing is sorted.
constexpr std::uint32_t kSmall = 32;
constexpr std::size_t kWords = kSmall * kSmall / 64;

// Presence and presence with count.
void add_both(std::vector<std::uint64_t>& keys, Template kind, std::uint64_t a, std::uint64_t b,
              std::uint64_t count) {
  const std::uint64_t presence = feature_key(kind, a, b, 0);
  keys.push_back(presence);
  keys.push_back(presence | field(count));
}

// Sorts the values and calls visit(value, count) for each that differs.
template <typename Value, typename Visit>
void for_runs(std::vector<Value>& values, Visit visit) {
  std::sort(values.begin(), values.end());
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    while (end < values.size() && values[end] == values[begin]) ++end;
    visit(values[begin], end - begin);
    begin = end;
  }
}

}  // namespace

const std::vector<std::uint64_t>& FeatureKeys::of(const Graph& graph) {
  degrees_.assign(static_cast<std::size_t>(graph.node_count()), 0);
  for (const Edge& edge : graph.edges()) {
    ++degrees_[static_cast<std::size_t>(edge.u)];
    ++degrees_[static_cast<std::size_t>(edge.v)];
  }
  keys_.clear();
  const auto largest = std::max_element(degrees_.begin(), degrees_.end());
  if (largest == degrees_.end() || *largest < kSmall) {
    add_small(graph);
  } else {
    add_large(graph);
  }
  keys_.push_back(
      feature_key(Template::kNodes, static_cast<std::uint64_t>(graph.node_count()), 0, 0));
  keys_.push_back(
      feature_key(Template::kEdges, static_cast<std::uint64_t>(graph.edge_count()), 0, 0));
  return keys_;
}

void FeatureKeys::add_small(const Graph& graph) {
  counts_.resize(kSmall * kSmall, 0);
  std::uint32_t present = 0;
  for (const std::uint32_t degree : degrees_) {
    present |= 1U << degree;
    ++counts_[degree];
  }
  for (; present != 0; present &= present - 1) {
    const auto degree = static_cast<std::uint32_t>(std::countr_zero(present));
    add_both(keys_, Template::kDegree, degree, 0, counts_[degree]);
    counts_[degree] = 0;
  }

  std::array<std::uint64_t, kWords> present_pairs{};
  for (const Edge& edge : graph.edges()) {
    const std::uint32_t a = degrees_[static_cast<std::size_t>(edge.u)];
    const std::uint32_t b = degrees_[static_cast<std::size_t>(edge.v)];
    const std::uint32_t pair = std::min(a, b) * kSmall + std::max(a, b);
    present_pairs[pair / 64] |= std::uint64_t{1} << (pair % 64);
    ++counts_[pair];
  }
  for (std::uint32_t word = 0; word < kWords; ++word) {
    for (std::uint64_t bits = present_pairs[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t pair = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      add_both(keys_, Template::kDegreePair, pair / kSmall, pair % kSmall, counts_[pair]);
      counts_[pair] = 0;
    }
  }
}

void FeatureKeys::add_large(const Graph& graph) {
  pairs_.clear();
  for (const Edge& edge : graph.edges()) {
    const std::uint64_t a = degrees_[static_cast<std::size_t>(edge.u)];
    const std::uint64_t b = degrees_[static_cast<std::size_t>(edge.v)];
    pairs_.push_back(std::min(a, b) << 32 | std::max(a, b));
  }
  for_runs(degrees_, [&](std::uint64_t degree, std::uint64_t count) {
    add_both(keys_, Template::kDegree, degree, 0, count);
  });
  for_runs(pairs_, [&](std::uint64_t pair, std::uint64_t count) {
    add_both(keys_, Template::kDegreePair, pair >> 32, pair & 0xFFFFFFFFU, count);
  });
}

}  // namespace bermuda
