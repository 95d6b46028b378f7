#include "bermuda/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "asked_columns.hpp"
#include "comparison.hpp"

namespace bermuda {
namespace {

constexpr double kPercent = 100;
constexpr double kLevel = 0.05;
constexpr double kNoFigureHere = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCompared = 100;  // of more methods than that, no pair would stand out

double figure_of(const Metrics& test, TableMetric metric) {
  switch (metric) {
    case TableMetric::kAccuracy:
      return test.accuracy;
    case TableMetric::kMacroF1:
      return test.macro_f1;
    case TableMetric::kPositiveF1:
      break;
  }
  return test.positive_f1;
}

/// Whether all graphs were given one class, though there are graphs of others.
bool says_one_class(const Metrics& test) {
  std::set<std::size_t> classes;
  std::set<std::size_t> said;
  for (std::size_t truth = 0; truth < test.confusion.size(); ++truth) {
    for (std::size_t answer = 0; answer < test.confusion[truth].size(); ++answer) {
      if (test.confusion[truth][answer] == 0) continue;
      classes.insert(truth);
      said.insert(answer);
    }
  }
  return classes.size() > 1 && said.size() == 1;
}

/// The figure of a method that gives all of these test graphs one class, the best for that figure.
double one_class_figure(const Metrics& test, TableMetric metric) {
  std::vector<double> counts;
  double total = 0;
  for (const auto& row : test.confusion) {
    counts.push_back(static_cast<double>(std::accumulate(row.begin(), row.end(), std::size_t{0})));
    total += counts.back();
  }
  if (!(total > 0)) return kNoFigureHere;
  const auto f1 = [&](double count) { return 2 * count / (total + count); };
  const double most = *std::ranges::max_element(counts);
  switch (metric) {
    case TableMetric::kAccuracy:
      return most / total;
    case TableMetric::kMacroF1:
      return f1(most) / static_cast<double>(
                            std::ranges::count_if(counts, [](double count) { return count > 0; }));
    case TableMetric::kPositiveF1:
      break;
  }
  return f1(counts.back());
}

double mean_one_class(const std::vector<MethodRuns>& methods, TableMetric metric) {
  double sum = 0;
  std::size_t runs = 0;
  for (const MethodRuns& method : methods) {
    for (const auto& [place, run] : method.runs) {
      sum += one_class_figure(*run.test, metric);
      ++runs;
    }
  }
  return runs == 0 ? kNoFigureHere : kPercent * sum / static_cast<double>(runs);
}

template <typename Item>
void add_once(std::vector<Item>& items, const Item& item) {
  if (std::ranges::find(items, item) == items.end()) items.push_back(item);
}

class TableMaker {
 public:
  TableMaker(const Records& records, const Records::GridWithEntries& grid, WhichEpoch epoch)
      : records_(records), grid_(grid) {
    table_.title = grid.grid.title;
    table_.metric = grid.grid.metric;
    table_.epoch = epoch;
    table_.paper = grid.grid.paper;
  }

  ResultTable make() {
    std::set<std::string> rows;
    for (const GridEntry& entry : grid_.entries) {
      add_once(table_.columns, entry.data);
      if (rows.insert(entry.row).second) table_.rows.emplace_back().name = entry.row;
      entries_[{entry.row, entry.data}].push_back(&entry);
    }
    for (const std::string& data : table_.columns) {
      std::vector<MethodRuns> methods;  // one per row
      std::size_t runs = 0;
      for (const TableRow& row : table_.rows) {
        methods.push_back({row.name, done(row.name, data)});
        runs += methods.back().runs.size();
      }
      table_.one_class.push_back(mean_one_class(methods, table_.metric));
      const TwinPlaces& twins = twins_of(data);
      ColumnStatistics statistics(table_.metric, runs, twins);
      for (std::size_t row = 0; row < methods.size(); ++row) {
        table_.rows[row].cells.push_back(cell(methods[row], data, statistics));
      }
      mark(data, methods, statistics);
      std::erase_if(methods, [](const MethodRuns& method) { return method.runs.empty(); });
      if (methods.size() < 2 || methods.size() > kMostCompared) continue;
      for (const Comparison& comparison :
           {compare_pairs(data, methods, statistics), compare_by_graphs(data, methods, twins)}) {
        if (has_any(comparison)) table_.comparisons.push_back(comparison);
      }
    }
    add_asked_columns(records_, grid_, table_);
    add_notes();
    return std::move(table_);
  }

 private:
  std::map<FoldAndSeed, CountedRun> done(const std::string& row, const std::string& data) {
    std::map<FoldAndSeed, CountedRun> runs;
    for (const GridEntry* entry : entries_of(row, data)) {
      const RunRecord& run = records_.run(*entry);
      if (run.state != RunState::kDone) continue;
      with_epochs_ = with_epochs_ || run.result.epochs > 1;
      const Metrics* test = metrics_at(run.result, table_.epoch);
      if (test == nullptr) {
        ++without_last_;
        continue;
      }
      runs.emplace(FoldAndSeed(entry->fold, entry->seed),
                   CountedRun{&run.result, test, &answers_at(run.result, table_.epoch),
                              figure_of(*test, table_.metric)});
    }
    return runs;
  }

  const std::vector<const GridEntry*>& entries_of(const std::string& row,
                                                  const std::string& data) const {
    static const std::vector<const GridEntry*> kNothing;
    const auto found = entries_.find({row, data});
    return found == entries_.end() ? kNothing : found->second;
  }

  /// Those of the graphs that this column's runs are tested on.
  const TwinPlaces& twins_of(const std::string& data) const {
    static const TwinPlaces kNone;
    for (const GridEntry& entry : grid_.entries) {
      if (entry.data != data) continue;
      const auto found = records_.twins.find(records_.run(entry).spec.data_checksum);
      if (found != records_.twins.end()) return found->second;
    }
    return kNone;
  }

  TableCell cell(const MethodRuns& method, const std::string& data,
                 ColumnStatistics& statistics) const {
    TableCell cell;
    std::vector<double> figures;
    for (const auto& [place, run] : method.runs) {
      figures.push_back(kPercent * run.figure);
      cell.runs.push_back({place.first, place.second, figures.back()});
      cell.one_class += says_one_class(*run.test) ? 1U : 0U;
    }
    for (const GridEntry* entry : entries_of(method.name, data)) {
      const RunState state = records_.run(*entry).state;
      cell.taken_from = entry->taken_from;
      cell.failed += state == RunState::kFailed ? 1U : 0U;
      cell.waiting += state == RunState::kWaiting || state == RunState::kRunning ? 1U : 0U;
    }
    const FoldSummary summary = summarise_folds(figures, 0);
    cell.mean = summary.mean;
    cell.deviation = summary.deviation;
    const Interval interval = statistics.interval(method);
    cell.low = kPercent * interval.low;
    cell.high = kPercent * interval.high;
    const auto of_data = grid_.grid.published.find(data);
    if (of_data != grid_.grid.published.end() && of_data->second.contains(method.name)) {
      cell.paper = of_data->second.at(method.name);
    }
    return cell;
  }

  /// Marks the best of the column that was added last, and those that do not differ from it. A
  /// method with fewer runs than others may have been lucky: it is not the best, and while it is
  /// ahead nobody is.
  void mark(const std::string& data, const std::vector<MethodRuns>& methods,
            ColumnStatistics& statistics) {
    std::size_t most = 0;
    for (const MethodRuns& method : methods) most = std::max(most, method.runs.size());
    std::size_t best = methods.size();
    std::size_t compared = 0;
    for (std::size_t row = 0; row < methods.size(); ++row) {
      if (methods[row].runs.empty()) continue;
      ++compared;
      if (methods[row].runs.size() < most) continue;
      if (best == methods.size() || cell_of(row).mean > cell_of(best).mean) best = row;
    }
    if (compared < 2) return;
    std::vector<double> p_values(methods.size(), kNoFigureHere);
    std::vector<bool> ahead(methods.size(), false);  // on the runs that the best has, too
    std::set<std::string> tests;
    std::vector<std::string> elsewhere;
    for (std::size_t row = 0; row < methods.size(); ++row) {
      if (row == best || methods[row].runs.empty()) continue;
      const PairTest test = statistics.compare(methods[best], methods[row]);
      p_values[row] = test.p;
      ahead[row] = test.difference < 0;
      if (std::isnan(test.p)) {
        elsewhere.push_back(methods[row].name);
      } else {
        tests.insert(test.name);
      }
    }
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t row = 0; row < methods.size(); ++row) {
      if (ahead[row] && adjusted[row] <= kLevel) {
        undecided_.push_back(data);
        return;
      }
    }
    if (!elsewhere.empty()) {
      not_compared_.push_back(fmt::format("{} ({})", fmt::join(elsewhere, ", "), data));
    }
    cell_of(best).mark = CellMark::kBest;
    for (std::size_t row = 0; row < methods.size(); ++row) {
      if (adjusted[row] > kLevel) cell_of(row).mark = CellMark::kSame;  // not where it is NaN
    }
    tests_.merge(tests);
  }

  TableCell& cell_of(std::size_t row) { return table_.rows[row].cells.back(); }

  void add_notes() {
    std::set<std::size_t> counts;
    std::size_t failed = 0;
    std::size_t waiting = 0;
    for (const TableRow& row : table_.rows) {
      for (const TableCell& cell : row.cells) {
        if (!cell.runs.empty()) counts.insert(cell.runs.size());
        if (!cell.taken_from.empty()) continue;  // counted where they stand first
        failed += cell.failed;
        waiting += cell.waiting;
      }
    }
    if (counts.empty()) {
      table_.notes.push_back("No run is done yet.");
    } else if (*counts.rbegin() == 1) {
      table_.notes.push_back("One run each.");
    } else {
      table_.notes.push_back(
          fmt::format("{}mean ± standard deviation over the runs that are done{}.",
                      counts.size() == 1 ? "" : "In brackets the number of runs; ",
                      counts.size() == 1 ? fmt::format(", {} each", *counts.begin()) : ""));
    }
    if (with_epochs_) {
      table_.notes.push_back(table_.epoch == WhichEpoch::kKept
                                 ? "Of each run counts the epoch that validation kept."
                                 : "Of each run counts the last epoch.");
    }
    if (without_last_ > 0) {
      table_.notes.push_back(
          fmt::format("{} runs are left out: their last epoch was not tested.", without_last_));
    }
    if (table_.epoch == WhichEpoch::kLast && !table_.asked.empty()) {
      table_.notes.push_back("What was asked beside is of the epoch that validation kept.");
    }
    if (!tests_.empty()) {
      table_.notes.push_back(fmt::format(
          "* best of its column{}; = does not differ from it significantly ({} test, p > 0.05 "
          "after Holm's correction over the comparisons with the best).",
          counts.size() > 1 ? ", of those with the most runs" : "", fmt::join(tests_, " or ")));
    }
    if (!undecided_.empty()) {
      table_.notes.push_back(
          fmt::format("In {} no method is marked: one with fewer runs than others is ahead of the "
                      "best of those on the runs that both have.",
                      fmt::join(undecided_, ", ")));
    }
    if (!not_compared_.empty()) {
      table_.notes.push_back(fmt::format("Too few runs in common with the best to be compared: {}.",
                                         fmt::join(not_compared_, "; ")));
    }
    const bool dead = std::ranges::any_of(table_.rows, [](const TableRow& row) {
      return std::ranges::any_of(row.cells, &TableCell::is_dead);
    });
    if (dead) table_.notes.push_back("† gives all graphs one class, in most of its runs.");
    add_notes_of_taken();
    if (failed > 0)
      table_.notes.push_back(fmt::format("{} run{} failed.", failed, failed == 1 ? "" : "s"));
    if (waiting > 0) {
      table_.notes.push_back(fmt::format(
          "{} not done yet.", waiting == 1 ? "1 run is" : fmt::format("{} runs are", waiting)));
    }
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
                        table_.columns[column], from, fmt::join(rows, "; ")));
      }
    }
  }

  const Records& records_;
  const Records::GridWithEntries& grid_;
  std::map<std::pair<std::string, std::string>, std::vector<const GridEntry*>> entries_;
  ResultTable table_;
  std::set<std::string> tests_;         // that marks are by
  std::vector<std::string> undecided_;  // columns without a best
  std::vector<std::string> not_compared_;
  bool with_epochs_ = false;      // whether any method has more than one
  std::size_t without_last_ = 0;  // runs
};

}  // namespace

ResultTable make_table(const Records& records, const Records::GridWithEntries& grid,
                       WhichEpoch epoch) {
  return TableMaker(records, grid, epoch).make();
}

}  // namespace bermuda
