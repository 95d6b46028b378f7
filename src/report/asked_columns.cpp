#include "asked_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "bermuda/statistics/intervals.hpp"
#include "comparison.hpp"

namespace bermuda {
namespace {

AskedColumn column_of(const AskedResult& asked) {
  return {asked.name, asked.both_right ? AskedColumn::Kind::kPairs
                      : asked.changed  ? AskedColumn::Kind::kRenumbered
                                       : AskedColumn::Kind::kGraphs};
}

/// What is counted, and of how many.
std::pair<std::size_t, std::size_t> counted_of(const AskedResult& asked) {
  const std::size_t count = asked.metrics.count;
  if (asked.both_right) return {*asked.both_right, count / 2};
  if (asked.changed) return {*asked.changed, count};
  std::size_t right = 0;
  for (std::size_t c = 0; c < asked.metrics.confusion.size(); ++c) {
    right += asked.metrics.confusion[c][c];
  }
  return {right, count};
}

AskedFigure figure_of_runs(const std::vector<const AskedResult*>& runs) {
  constexpr double kInPercent = 100;
  AskedFigure figure;
  figure.runs = runs.size();
  std::vector<double> shares;
  for (const AskedResult* run : runs) {
    const auto [counted, total] = counted_of(*run);
    shares.push_back(
        total == 0 ? 0 : kInPercent * static_cast<double>(counted) / static_cast<double>(total));
    figure.accuracy += kInPercent * run->metrics.accuracy / static_cast<double>(runs.size());
  }
  const FoldSummary summary = summarise_folds(shares, 0);
  figure.mean = summary.mean;
  figure.deviation = summary.deviation;
  figure.low = figure.high = std::numeric_limits<double>::quiet_NaN();
  // Answers to one graph under several numbers are not independent.
  if (runs.size() == 1 && column_of(*runs[0]).kind != AskedColumn::Kind::kRenumbered) {
    const auto [counted, total] = counted_of(*runs[0]);
    const Interval interval = wilson_interval(counted, total);
    figure.low = kInPercent * interval.low;
    figure.high = kInPercent * interval.high;
  }
  return figure;
}

}  // namespace

std::string asked_key(AskedColumn::Kind kind) {
  return kind == AskedColumn::Kind::kPairs        ? "both_right"
         : kind == AskedColumn::Kind::kRenumbered ? "changed"
                                                  : "accuracy";
}

std::string asked_words(AskedColumn::Kind kind) {
  return kind == AskedColumn::Kind::kPairs        ? "pairs with both right"
         : kind == AskedColumn::Kind::kRenumbered ? "answers that renumbering nodes changes"
                                                  : "accuracy";
}

void add_asked_columns(const Records& records, const Records::GridWithEntries& grid,
                       ResultTable& table) {
  std::map<std::pair<std::string, std::string>, std::vector<const RunRecord*>> runs;
  for (const GridEntry& entry : grid.entries) {
    const RunRecord& run = records.run(entry);
    if (run.state != RunState::kDone) continue;
    runs[{entry.row, entry.data}].push_back(&run);
    for (const AskedResult& asked : run.result.asked) {
      const AskedColumn column = column_of(asked);
      if (std::ranges::find(table.asked, column) == table.asked.end()) {
        table.asked.push_back(column);
      }
    }
  }
  for (TableRow& row : table.rows) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      for (const AskedColumn& column : table.asked) {
        std::vector<const AskedResult*> found;
        for (const RunRecord* run : runs[{row.name, table.columns[c]}]) {
          for (const AskedResult& asked : run->result.asked) {
            if (column_of(asked) == column) found.push_back(&asked);
          }
        }
        auto& figure = row.cells[c].asked.emplace_back();
        if (!found.empty()) figure = figure_of_runs(found);
      }
    }
  }
}

}  // namespace bermuda
