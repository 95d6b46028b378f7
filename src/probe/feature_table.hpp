#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/linear/presence_rows.hpp"
#include "feature_keys.hpp"

namespace bermuda {

/// The undermanned features of labelled graphs, equal rows merged: all that the filter's rounds
/// need to know of the graphs. A graph takes five bytes, a row that nobody had before a hundred.
struct MergedFeatures {
  std::vector<std::uint64_t> keys;  ///< what each column is; ascending when the table is finished
  PresenceRows rows;                ///< in the order in which they first came
  std::vector<std::uint32_t> row_of;
  std::vector<std::uint8_t> labels;

  /// As ranks hand it over.
  std::string to_bytes() const;
  static MergedFeatures from_bytes(std::string_view bytes);
  bool operator==(const MergedFeatures&) const = default;
};

/// Makes them of graphs that come one by one, or of parts that were made elsewhere: the result is
/// the same.
class FeatureTable {
 public:
  void add(const Graph& graph, int label);
  void add(const MergedFeatures& part);
  /// Columns in the order in which they came, for a part.
  MergedFeatures take() { return std::move(result_); }
  /// Columns in the order of their keys.
  MergedFeatures finish();

 private:
  std::uint32_t column_of(std::uint64_t key);
  std::uint32_t row_of(std::span<const std::uint32_t> row);
  void grow_columns();
  void grow_rows();

  MergedFeatures result_;
  FeatureKeys features_;
  std::vector<std::uint32_t> row_;  // that is being looked for
  // Open addressing, as both are asked for every graph; kFree where there is none.
  std::vector<std::uint32_t> column_slots_;
  std::vector<std::uint32_t> row_slots_;
  std::vector<std::uint32_t> row_hashes_;
};

}  // namespace bermuda
