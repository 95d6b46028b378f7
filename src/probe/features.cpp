#include "bermuda/probe/features.hpp"

#include <algorithm>
#include <limits>

namespace bermuda {
namespace {

// A feature as one number: template (2 bits), smaller degree, larger degree, count (0: presence).
enum class Template : std::uint64_t { kDegree, kDegreePair, kNodes, kEdges };

constexpr int kFieldBits = 20;
constexpr int kLargestField = (1 << kFieldBits) - 1;

std::uint64_t field(int value) {
  return static_cast<std::uint64_t>(std::min(value, kLargestField));
}

std::uint64_t feature_key(Template kind, int a, int b, int count) {
  return static_cast<std::uint64_t>(kind) << (3 * kFieldBits) | field(a) << (2 * kFieldBits) |
         field(b) << kFieldBits | field(count);
}

// Appends presence and presence-with-count of every run of equal values; values are sorted.
template <typename Value, typename MakeKey>
void append_runs(const std::vector<Value>& values, MakeKey make_key,
                 std::vector<std::uint64_t>& keys) {
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin;
    while (end < values.size() && values[end] == values[begin]) ++end;
    keys.push_back(make_key(values[begin], 0));
    keys.push_back(make_key(values[begin], static_cast<int>(end - begin)));
    begin = end;
  }
}

// Keys come out ascending.
void append_keys(const Graph& graph, std::vector<std::uint64_t>& keys) {
  const std::vector<int> degrees = graph.degrees();
  std::vector<int> sorted = degrees;
  std::sort(sorted.begin(), sorted.end());
  append_runs(
      sorted,
      [](int degree, int count) { return feature_key(Template::kDegree, degree, 0, count); }, keys);

  std::vector<Edge> pairs;
  pairs.reserve(graph.edges().size());
  for (const Edge& edge : graph.edges()) {
    const int a = degrees[static_cast<std::size_t>(edge.u)];
    const int b = degrees[static_cast<std::size_t>(edge.v)];
    pairs.push_back({std::min(a, b), std::max(a, b)});
  }
  std::sort(pairs.begin(), pairs.end());
  append_runs(
      pairs,
      [](Edge pair, int count) {
        return feature_key(Template::kDegreePair, pair.u, pair.v, count);
      },
      keys);
  keys.push_back(feature_key(Template::kNodes, graph.node_count(), 0, 0));
  keys.push_back(feature_key(Template::kEdges, graph.edge_count(), 0, 0));
}

// Maps the few distinct keys to columns; open addressing, because it is asked millions of times.
class ColumnTable {
 public:
  explicit ColumnTable(std::vector<std::uint64_t> sorted_keys) : keys_(std::move(sorted_keys)) {
    std::size_t size = 16;
    while (size < keys_.size() * 4) size *= 2;
    slots_.assign(size, kFree);
    for (std::uint32_t i = 0; i < keys_.size(); ++i) slots_[find(keys_[i])] = i;
  }
  std::uint32_t column(std::uint64_t key) const { return slots_[find(key)]; }

 private:
  std::size_t find(std::uint64_t key) const {
    std::size_t slot = (key * 0x9e3779b97f4a7c15U) >> 20 & (slots_.size() - 1);
    while (slots_[slot] != kFree && keys_[slots_[slot]] != key) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  static constexpr auto kFree = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;
};

struct KeyChunk {
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> ends;  // of each graph's keys
};

std::vector<std::uint64_t> distinct_keys(const std::vector<KeyChunk>& chunks) {
  std::vector<std::uint64_t> all;
  for (const KeyChunk& chunk : chunks) {
    std::vector<std::uint64_t> sorted = chunk.keys;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<std::uint64_t> merged;
    std::set_union(all.begin(), all.end(), sorted.begin(), sorted.end(),
                   std::back_inserter(merged));
    all = std::move(merged);
  }
  return all;
}

}  // namespace

PresenceRows undermanned_features(std::span<const Sample* const> samples,
                                  const Execution& execution) {
  constexpr std::size_t kChunk = 4096;
  std::vector<KeyChunk> chunks((samples.size() + kChunk - 1) / kChunk);
  parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    KeyChunk& chunk = chunks[begin / kChunk];
    for (std::size_t i = begin; i < end; ++i) {
      append_keys(samples[i]->graph, chunk.keys);
      chunk.ends.push_back(chunk.keys.size());
    }
  });

  std::vector<std::uint64_t> keys = distinct_keys(chunks);
  PresenceRows rows;
  rows.columns = keys.size();
  const ColumnTable table(std::move(keys));
  std::size_t total = 0;
  for (const KeyChunk& chunk : chunks) total += chunk.keys.size();
  rows.entries.reserve(total);
  rows.offsets.reserve(samples.size() + 1);
  for (KeyChunk& chunk : chunks) {
    const std::size_t before = rows.entries.size();
    for (const std::uint64_t key : chunk.keys) rows.entries.push_back(table.column(key));
    for (const std::size_t end : chunk.ends) rows.offsets.push_back(before + end);
    chunk = {};
  }
  return rows;
}

}  // namespace bermuda
