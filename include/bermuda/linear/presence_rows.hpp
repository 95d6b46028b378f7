#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bermuda {

/// A matrix of zeros and ones, row by row: the ascending columns of a row's ones.
struct PresenceRows {
  std::vector<std::size_t> offsets{0};
  std::vector<std::uint32_t> entries;
  std::size_t columns = 0;

  std::size_t rows() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t index) const {
    return std::span(entries).subspan(offsets[index], offsets[index + 1] - offsets[index]);
  }
  void add_row(std::span<const std::uint32_t> row);
  bool operator==(const PresenceRows&) const = default;
};

/// Rows that differ, in the order in which they first came.
struct DistinctRows {
  PresenceRows rows;
  std::vector<std::uint32_t> row_of;  ///< of each row that was given
};

DistinctRows merge_equal_rows(const PresenceRows& rows);

}  // namespace bermuda
