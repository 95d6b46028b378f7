#include "bermuda/linear/presence_rows.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace bermuda {

void PresenceRows::add_row(std::span<const std::uint32_t> row) {
  entries.insert(entries.end(), row.begin(), row.end());
  offsets.push_back(entries.size());
}

DistinctRows merge_equal_rows(const PresenceRows& rows) {
  DistinctRows result;
  result.rows.columns = rows.columns;
  result.row_of.reserve(rows.rows());
  std::unordered_map<std::string_view, std::uint32_t> known;  // a row's bytes -> its number
  known.reserve(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    const auto [entry, fresh] =
        known.try_emplace(bytes, static_cast<std::uint32_t>(result.rows.rows()));
    if (fresh) result.rows.add_row(row);
    result.row_of.push_back(entry->second);
  }
  return result;
}

}  // namespace bermuda
