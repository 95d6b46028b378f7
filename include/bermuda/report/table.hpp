#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/bench/records.hpp"
#include "bermuda/report/asked.hpp"

namespace bermuda {

/// Against the best of its column: significance as make_table() says.
enum class CellMark { kNone, kBest, kSame };

struct CellRun {
  int fold = 0;
  std::uint64_t seed = 1;
  double figure = 0;
};

/// A method on a data set; figures in per cent.
struct TableCell {
  std::vector<CellRun> runs;  ///< that are done, and whose epoch is known
  double mean = 0;
  double deviation = 0;  ///< over runs; NaN for one
  double low = 0;        ///< 95 % interval; NaN when unknown
  double high = 0;
  std::optional<double> paper;
  CellMark mark = CellMark::kNone;
  std::size_t one_class = 0;  ///< runs that gave all graphs the same class, though they have others
  std::size_t failed = 0;
  std::size_t waiting = 0;
  std::string taken_from = {};  ///< the column whose runs it shows; empty: its own
  /// One per ResultTable::asked; nothing where its models were not asked that.
  std::vector<std::optional<AskedFigure>> asked = {};

  /// Whether most of its runs have learnt nothing but a class.
  bool is_dead() const { return 2 * one_class > runs.size(); }
};

struct TableRow {
  std::string name;
  std::vector<TableCell> cells;  ///< one per column; without runs where nothing is done
};

/// p values of every pair of methods on a data set, corrected after Holm; NaN where there is none.
struct Comparison {
  std::string data;
  std::string test;  ///< "two-way bootstrap", "corrected resampled t" or "McNemar"
  std::vector<std::string> methods;
  std::vector<std::vector<double>> p;
};

struct ResultTable {
  std::string title;
  TableMetric metric = TableMetric::kAccuracy;
  WhichEpoch epoch = WhichEpoch::kKept;
  std::string paper;                 ///< where its figures are from; empty for none
  std::vector<std::string> columns;  ///< data sets
  /// Of each column what giving all test graphs one class, the best one, would reach, in per cent;
  /// NaN where no run is done.
  std::vector<double> one_class;
  std::vector<TableRow> rows;
  std::vector<AskedColumn> asked = {};  ///< of the epoch that was kept, whatever `epoch` says
  std::vector<std::string> notes;
  std::vector<Comparison> comparisons;
};

/// The table of a grid, from the runs that are done. In each column the best method is marked, of
/// those with the most runs (none while another is significantly ahead), and all that do not differ
/// from it significantly: p > 0.05 in the table's own metric, on the folds and seeds that both
/// have, after Holm's correction over these comparisons. Where all runs answer the same graphs the
/// test, like the interval, resamples runs and graphs; where folds test on different graphs it is
/// the corrected resampled t test, of kLeastFolds folds at least. `comparisons` has all pairs, and
/// McNemar's test on single graphs.
inline constexpr std::size_t kLeastFolds = 3;
ResultTable make_table(const Records& records, const Records::GridWithEntries& grid,
                       WhichEpoch epoch = WhichEpoch::kKept);

/// Digits behind the point of a figure in per cent: one, or as many as tell it from 0 and 100, four
/// at most.
int figure_digits(double percent);

/// What was found, in words: of each column the best method, those that do not differ from it
/// significantly, and what is reached by giving all graphs one class. A line per column.
std::vector<std::string> findings(const ResultTable& table);

/// For a terminal, for a README, for a paper. What was asked beside follows, a table each.
std::string table_text(const ResultTable& table);
std::string table_markdown(const ResultTable& table);
std::string table_latex(const ResultTable& table);
/// For the report page.
nlohmann::ordered_json table_json(const ResultTable& table);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace bermuda
