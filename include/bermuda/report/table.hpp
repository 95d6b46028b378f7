#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/bench/records.hpp"

namespace bermuda {

/// Against the best of its column: significance as make_table() says.
enum class CellMark { kNone, kBest, kSame };

/// A method on a data set; figures in per cent.
struct TableCell {
  std::vector<int> folds;  ///< that are done
  double mean = 0;
  double deviation = 0;  ///< over folds; NaN for one
  double low = 0;        ///< 95 % interval; NaN when unknown
  double high = 0;
  std::optional<double> paper;
  CellMark mark = CellMark::kNone;
  std::size_t failed = 0;
  std::size_t waiting = 0;
  std::string taken_from = {};  ///< the column whose runs it shows; empty: its own
};

struct TableRow {
  std::string name;
  std::vector<TableCell> cells;  ///< one per column; without folds where nothing is done
};

/// p values of every pair of methods on a data set, corrected after Holm; NaN where there is none.
struct Comparison {
  std::string data;
  std::string test;  ///< "corrected resampled t" or "McNemar"
  std::vector<std::string> methods;
  std::vector<std::vector<double>> p;
};

struct ResultTable {
  std::string title;
  TableMetric metric = TableMetric::kAccuracy;
  std::string paper;                 ///< where its figures are from; empty for none
  std::vector<std::string> columns;  ///< data sets
  std::vector<TableRow> rows;
  std::vector<std::string> notes;
  std::vector<Comparison> comparisons;
};

/// The table of a grid, from the runs that are done. In each column the best method is marked, and
/// those that do not differ from it significantly (p > 0.05 after Holm's correction over all pairs
/// of the column): by the corrected resampled t test where every two methods have kLeastFolds folds
/// in common, else by McNemar's test on the test graphs of the folds that two methods share, where
/// a graph that several folds test counts in the first.
inline constexpr std::size_t kLeastFolds = 3;
ResultTable make_table(const Records& records, const Records::GridWithEntries& grid);

/// For a terminal, for a README, for a paper.
std::string table_text(const ResultTable& table);
std::string table_markdown(const ResultTable& table);
std::string table_latex(const ResultTable& table);
/// For the report page.
nlohmann::ordered_json table_json(const ResultTable& table);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace bermuda
