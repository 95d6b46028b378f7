#include "feature_table.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr auto kFree = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kFirstSlots = 1024;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;

// Slots are at most half full.
bool is_full(std::size_t slots, std::size_t used) { return 2 * (used + 1) > slots; }

std::size_t key_slot(std::uint64_t key) {
  key *= kMix;
  return static_cast<std::size_t>(key >> 32 ^ key >> 20);
}

std::uint32_t hash_of(std::span<const std::uint32_t> row) {
  std::uint64_t hash = row.size();
  for (const std::uint32_t column : row) hash = (hash ^ column) * kMix + (hash >> 29);
  return static_cast<std::uint32_t>(hash >> 32);
}

template <typename T>
void put(std::string& bytes, const std::vector<T>& values) {
  const std::uint64_t size = values.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
void take(std::string_view& bytes, std::vector<T>& values) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  values.resize(size);
  std::memcpy(values.data(), bytes.data() + sizeof size, size * sizeof(T));
  bytes.remove_prefix(sizeof size + size * sizeof(T));
}

}  // namespace

std::string MergedFeatures::to_bytes() const {
  std::string bytes;
  bytes.reserve(64 + keys.size() * 8 + rows.offsets.size() * 8 + rows.entries.size() * 4 +
                row_of.size() * 4 + labels.size());
  put(bytes, keys);
  put(bytes, rows.offsets);
  put(bytes, rows.entries);
  put(bytes, row_of);
  put(bytes, labels);
  return bytes;
}

MergedFeatures MergedFeatures::from_bytes(std::string_view bytes) {
  MergedFeatures result;
  bermuda::take(bytes, result.keys);
  bermuda::take(bytes, result.rows.offsets);
  bermuda::take(bytes, result.rows.entries);
  bermuda::take(bytes, result.row_of);
  bermuda::take(bytes, result.labels);
  result.rows.columns = result.keys.size();
  return result;
}

void FeatureTable::add(const Graph& graph, int label) {
  row_.clear();
  for (const std::uint64_t key : features_.of(graph)) row_.push_back(column_of(key));
  result_.row_of.push_back(row_of(row_));
  result_.labels.push_back(static_cast<std::uint8_t>(label));
}

void FeatureTable::add(const MergedFeatures& part) {
  std::vector<std::uint32_t> columns;
  for (const std::uint64_t key : part.keys) columns.push_back(column_of(key));
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < part.rows.rows(); ++i) {
    row_.clear();
    for (const std::uint32_t column : part.rows.row(i)) row_.push_back(columns[column]);
    rows.push_back(row_of(row_));
  }
  for (const std::uint32_t row : part.row_of) result_.row_of.push_back(rows[row]);
  result_.labels.insert(result_.labels.end(), part.labels.begin(), part.labels.end());
}

MergedFeatures FeatureTable::finish() {
  std::vector<std::uint64_t>& keys = result_.keys;
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  // Keys of a row ascend, and so its columns do now.
  for (std::uint32_t& column : result_.rows.entries) column = place[column];
  std::sort(keys.begin(), keys.end());
  column_slots_ = {};
  row_slots_ = {};
  row_hashes_ = {};
  return std::move(result_);
}

std::uint32_t FeatureTable::column_of(std::uint64_t key) {
  if (is_full(column_slots_.size(), result_.keys.size())) grow_columns();
  std::size_t slot = key_slot(key) & (column_slots_.size() - 1);
  while (column_slots_[slot] != kFree) {
    if (result_.keys[column_slots_[slot]] == key) return column_slots_[slot];
    slot = (slot + 1) & (column_slots_.size() - 1);
  }
  const auto column = static_cast<std::uint32_t>(result_.keys.size());
  column_slots_[slot] = column;
  result_.keys.push_back(key);
  result_.rows.columns = result_.keys.size();
  return column;
}

std::uint32_t FeatureTable::row_of(std::span<const std::uint32_t> row) {
  if (is_full(row_slots_.size(), result_.rows.rows())) grow_rows();
  const std::uint32_t hash = hash_of(row);
  std::size_t slot = hash & (row_slots_.size() - 1);
  for (; row_slots_[slot] != kFree; slot = (slot + 1) & (row_slots_.size() - 1)) {
    const std::uint32_t known = row_slots_[slot];
    if (row_hashes_[known] == hash && std::ranges::equal(result_.rows.row(known), row)) {
      return known;
    }
  }
  const std::size_t number = result_.rows.rows();
  if (number == kFree) throw Error("more than four billion graphs with different features");
  row_slots_[slot] = static_cast<std::uint32_t>(number);
  row_hashes_.push_back(hash);
  result_.rows.add_row(row);
  return static_cast<std::uint32_t>(number);
}

void FeatureTable::grow_columns() {
  column_slots_.assign(std::max(kFirstSlots, 2 * column_slots_.size()), kFree);
  for (std::uint32_t column = 0; column < result_.keys.size(); ++column) {
    std::size_t slot = key_slot(result_.keys[column]) & (column_slots_.size() - 1);
    while (column_slots_[slot] != kFree) slot = (slot + 1) & (column_slots_.size() - 1);
    column_slots_[slot] = column;
  }
}

void FeatureTable::grow_rows() {
  row_slots_.assign(std::max(kFirstSlots, 2 * row_slots_.size()), kFree);
  for (std::uint32_t row = 0; row < row_hashes_.size(); ++row) {
    std::size_t slot = row_hashes_[row] & (row_slots_.size() - 1);
    while (row_slots_[slot] != kFree) slot = (slot + 1) & (row_slots_.size() - 1);
    row_slots_[slot] = row;
  }
}

}  // namespace bermuda
