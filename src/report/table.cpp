#include "bermuda/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bermuda/statistics/intervals.hpp"
#include "comparison.hpp"

namespace bermuda {
namespace {

constexpr double kPercent = 100;
constexpr double kLevel = 0.05;
constexpr std::size_t kMostCompared = 100;  // of more methods than that, no pair would stand out

double figure_of(const RunResult& result, TableMetric metric) {
  switch (metric) {
    case TableMetric::kAccuracy:
      return kPercent * result.test.accuracy;
    case TableMetric::kMacroF1:
      return kPercent * result.test.macro_f1;
    case TableMetric::kPositiveF1:
      break;
  }
  return kPercent * result.test.positive_f1;
}

template <typename Item>
void add_once(std::vector<Item>& items, const Item& item) {
  if (std::ranges::find(items, item) == items.end()) items.push_back(item);
}

class TableMaker {
 public:
  TableMaker(const Records& records, const Records::GridWithEntries& grid)
      : records_(records), grid_(grid) {
    table_.title = grid.grid.title;
    table_.metric = grid.grid.metric;
    table_.paper = grid.grid.paper;
  }

  ResultTable make() {
    std::vector<std::string> names;
    std::set<std::string> rows;
    for (const GridEntry& entry : grid_.entries) {
      add_once(table_.columns, entry.data);
      if (rows.insert(entry.row).second) names.push_back(entry.row);
      entries_[{entry.row, entry.data}].push_back(&entry);
    }
    for (const std::string& name : names) {
      TableRow& row = table_.rows.emplace_back();
      row.name = name;
      for (const std::string& data : table_.columns) row.cells.push_back(cell(name, data));
    }
    for (std::size_t column = 0; column < table_.columns.size(); ++column) compare(column);
    add_notes();
    return std::move(table_);
  }

 private:
  std::map<FoldAndSeed, const RunRecord*> done(const std::string& row,
                                               const std::string& data) const {
    std::map<FoldAndSeed, const RunRecord*> runs;
    for (const GridEntry* entry : entries_of(row, data)) {
      const RunRecord& run = records_.run(*entry);
      if (run.state == RunState::kDone) runs.emplace(FoldAndSeed(entry->fold, entry->seed), &run);
    }
    return runs;
  }

  const std::vector<const GridEntry*>& entries_of(const std::string& row,
                                                  const std::string& data) const {
    static const std::vector<const GridEntry*> kNothing;
    const auto found = entries_.find({row, data});
    return found == entries_.end() ? kNothing : found->second;
  }

  TableCell cell(const std::string& row, const std::string& data) const {
    TableCell cell;
    std::vector<double> figures;
    double test_share = 0;
    const RunRecord* last = nullptr;
    for (const auto& [place, run] : done(row, data)) {
      cell.folds.push_back(place.first);
      figures.push_back(figure_of(run->result, table_.metric));
      test_share = test_share_of(run->result);
      last = run;
    }
    for (const GridEntry* entry : entries_of(row, data)) {
      const RunState state = records_.run(*entry).state;
      cell.taken_from = entry->taken_from;
      cell.failed += state == RunState::kFailed ? 1U : 0U;
      cell.waiting += state == RunState::kWaiting || state == RunState::kRunning ? 1U : 0U;
    }
    const FoldSummary summary = summarise_folds(figures, test_share);
    cell.mean = summary.mean;
    cell.deviation = summary.deviation;
    cell.low = summary.low;
    cell.high = summary.high;
    if (figures.size() == 1 && table_.metric == TableMetric::kAccuracy) {
      const auto count = static_cast<double>(last->result.test.count);
      const Interval interval =
          wilson_interval(static_cast<std::size_t>(std::lround(last->result.test.accuracy * count)),
                          last->result.test.count);
      cell.low = kPercent * interval.low;
      cell.high = kPercent * interval.high;
    }
    const auto of_data = grid_.grid.published.find(data);
    if (of_data != grid_.grid.published.end() && of_data->second.contains(row)) {
      cell.paper = of_data->second.at(row);
    }
    return cell;
  }

  void compare(std::size_t column) {
    const std::string& data = table_.columns[column];
    std::vector<MethodRuns> methods;
    for (const TableRow& row : table_.rows) {
      std::map<FoldAndSeed, const RunRecord*> runs = done(row.name, data);
      if (runs.empty()) continue;
      std::map<FoldAndSeed, double> figures;
      for (const auto& [place, run] : runs) {
        figures[place] = figure_of(run->result, table_.metric);
      }
      methods.push_back({row.name, std::move(runs), std::move(figures)});
    }
    if (methods.size() < 2 || methods.size() > kMostCompared) return;
    const Comparison over_folds = compare_over_folds(data, methods, kLeastFolds);
    const Comparison by_graphs = compare_by_graphs(data, methods);
    const bool all_folds = is_complete(over_folds);
    mark(column, all_folds ? over_folds : by_graphs);
    for (const Comparison& comparison : {over_folds, by_graphs}) {
      if (has_any(comparison)) table_.comparisons.push_back(comparison);
    }
    tests_.insert(all_folds ? over_folds.test : by_graphs.test);
  }

  void mark(std::size_t column, const Comparison& comparison) {
    TableRow* best = nullptr;
    for (TableRow& row : table_.rows) {
      const TableCell& cell = row.cells[column];
      if (cell.folds.empty()) continue;
      if (best == nullptr || cell.mean > best->cells[column].mean) best = &row;
    }
    best->cells[column].mark = CellMark::kBest;
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(comparison.methods, name) -
                                      comparison.methods.begin());
    };
    const std::size_t first = place(best->name);
    for (TableRow& row : table_.rows) {
      TableCell& cell = row.cells[column];
      if (cell.folds.empty() || &row == best) continue;
      const double p = comparison.p[first][place(row.name)];
      if (std::isnan(p)) continue;
      if (p > kLevel) cell.mark = CellMark::kSame;
    }
  }

  void add_notes() {
    std::set<std::size_t> counts;
    std::size_t failed = 0;
    std::size_t waiting = 0;
    for (const TableRow& row : table_.rows) {
      for (const TableCell& cell : row.cells) {
        if (!cell.folds.empty()) counts.insert(cell.folds.size());
        failed += cell.failed;
        waiting += cell.waiting;
      }
    }
    if (counts.empty()) {
      table_.notes.push_back("No run is done yet.");
    } else if (*counts.rbegin() == 1) {
      table_.notes.push_back("One fold each.");
    } else {
      table_.notes.push_back(
          fmt::format("{}mean ± standard deviation over the folds that are done{}.",
                      counts.size() == 1 ? "" : "In brackets the number of folds; ",
                      counts.size() == 1 ? fmt::format(", {} each", *counts.begin()) : ""));
    }
    if (!tests_.empty()) {
      std::string names;
      for (const std::string& name : tests_) names += (names.empty() ? "" : ", ") + name;
      table_.notes.push_back(fmt::format(
          "* best of its column; = does not differ from it significantly ({} test, p > 0.05 after "
          "Holm's correction).",
          names));
    }
    add_notes_of_taken();
    if (failed > 0) table_.notes.push_back(fmt::format("{} runs failed.", failed));
    if (waiting > 0) table_.notes.push_back(fmt::format("{} runs are not done yet.", waiting));
  }

  void add_notes_of_taken() {
    for (std::size_t column = 0; column < table_.columns.size(); ++column) {
      std::map<std::string, std::vector<std::string>> taken;  // rows, by the column they are from
      for (const TableRow& row : table_.rows) {
        const std::string& from = row.cells[column].taken_from;
        if (!from.empty()) taken[from].push_back(row.name);
      }
      for (const auto& [from, rows] : taken) {
        table_.notes.push_back(
            fmt::format("In {}, methods that cannot see the order of nodes have the figures of {}: "
                        "{}.",
                        table_.columns[column], from, fmt::join(rows, ", ")));
      }
    }
  }

  const Records& records_;
  const Records::GridWithEntries& grid_;
  std::map<std::pair<std::string, std::string>, std::vector<const GridEntry*>> entries_;
  ResultTable table_;
  std::set<std::string> tests_;
};

}  // namespace

ResultTable make_table(const Records& records, const Records::GridWithEntries& grid) {
  return TableMaker(records, grid).make();
}

}  // namespace bermuda
