#include "bermuda/core/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace bermuda {
namespace {

constexpr std::size_t kLettersPerSlip = 3;
constexpr std::size_t kMostSlips = 3;
constexpr std::size_t kLongestWord = 100;  // what is longer is no slip, and would take its time

std::string plain(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return out;
}

}  // namespace

std::size_t typing_distance(std::string_view one, std::string_view other) {
  const std::string a = plain(one);
  const std::string b = plain(other);
  // Three rows of the table of distances between beginnings of a and b: swaps look two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> names) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t least = kMostSlips + 1;
  for (const std::string& name : names) {
    const std::size_t slips = typing_distance(word, name);
    const std::size_t allowed = std::max(word.size(), name.size()) / kLettersPerSlip;
    if (slips > std::min(allowed, kMostSlips) || slips >= least) continue;
    least = slips;
    best = &name;
  }
  if (best != nullptr) return *best;
  if (word.size() < kLettersPerSlip) return std::nullopt;
  const std::string part = plain(word);
  for (const std::string& name : names) {
    const std::string whole = plain(name);
    if (!whole.starts_with(part) && !whole.ends_with(part)) continue;
    if (best != nullptr) return std::nullopt;
    best = &name;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const auto nearest = nearest_name(word, names);
  return nearest ? fmt::format("; did you mean {}?", *nearest) : std::string();
}

std::string did_you_mean_or_all(std::string_view word, std::span<const std::string> names) {
  if (names.empty()) return "; there are none";
  std::string nearest = did_you_mean(word, names);
  return nearest.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : nearest;
}

}  // namespace bermuda
