#include "bermuda/bench/grid.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {
namespace {

struct MetricNames {
  TableMetric metric;
  std::string_view key;
  std::string_view name;
};

constexpr std::array<MetricNames, 3> kMetrics = {{
    {TableMetric::kAccuracy, "accuracy", "test accuracy"},
    {TableMetric::kMacroF1, "macro_f1", "macro-F1 on test graphs"},
    {TableMetric::kPositiveF1, "positive_f1", "F1 of the positive class on test graphs"},
}};

const MetricNames& names_of(TableMetric metric) {
  return *std::ranges::find(kMetrics, metric, &MetricNames::metric);
}

bool fits(const std::string& text, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

std::string_view metric_key(TableMetric metric) { return names_of(metric).key; }
std::string_view metric_name(TableMetric metric) { return names_of(metric).name; }

TableMetric metric_of_key(std::string_view key) {
  const auto found = std::ranges::find(kMetrics, key, &MetricNames::key);
  if (found == kMetrics.end()) {
    throw UsageError(fmt::format("metric: found {}, expected accuracy, macro_f1 or positive_f1",
                                 in_quotes(key)));
  }
  return found->metric;
}

std::vector<int> parse_folds(std::string_view text) {
  std::set<int> folds;
  for (const std::string_view part : split_fields(text, ',')) {
    const std::vector<std::string_view> ends = split_fields(trimmed(part), '-');
    const auto first = parse_number<int>(trimmed(ends.front()));
    const auto last = parse_number<int>(trimmed(ends.back()));
    if (ends.size() > 2 || !first || !last || *first < 0 || *last >= kEvaluationFolds ||
        *first > *last) {
      throw UsageError(fmt::format("folds: found {}, expected something like 0-{} or 0,2,5",
                                   in_quotes(text), kEvaluationFolds - 1));
    }
    for (int fold = *first; fold <= *last; ++fold) folds.insert(fold);
  }
  return {folds.begin(), folds.end()};
}

void keep_only(Grid& grid, std::string_view patterns) {
  std::vector<std::string> wanted;
  for (const std::string_view part : split_fields(patterns, ','))
    wanted.emplace_back(trimmed(part));
  const auto is_named = [](const GridCell& cell, const std::string& pattern) {
    return fits(cell.row, pattern) || fits(cell.method, pattern);
  };
  for (const std::string& pattern : wanted) {
    if (std::ranges::any_of(grid.cells,
                            [&](const auto& cell) { return is_named(cell, pattern); })) {
      continue;
    }
    std::vector<std::string> known;
    for (const GridCell& cell : grid.cells) known.insert(known.end(), {cell.row, cell.method});
    throw UsageError(fmt::format("--only: no method of {} fits {}{}", grid.name, in_quotes(pattern),
                                 did_you_mean(pattern, known)));
  }
  std::vector<GridCell> kept;
  std::set<std::string> used;
  for (GridCell& cell : grid.cells) {
    if (std::ranges::none_of(wanted, [&](const std::string& one) { return is_named(cell, one); })) {
      continue;
    }
    used.insert(cell.runs_on());
    kept.push_back(std::move(cell));
  }
  grid.cells = std::move(kept);
  std::erase_if(grid.data, [&](const GridData& data) { return !used.contains(data.name); });
}

}  // namespace bermuda
