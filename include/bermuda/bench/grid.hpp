#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/generate/regime.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {

/// How a data set of a grid is changed to see what a method goes by; docs/bench.md.
struct GridControls {
  bool shuffle_nodes = false;    ///< shuffle_nodes()
  bool permute_labels = false;   ///< permute_classes()
  bool unfiltered_test = false;  ///< the test split is one of the task's candidates as they come
  bool any() const { return shuffle_nodes || permute_labels || unfiltered_test; }
};

/// What the models of a data set are asked beside its test graphs; docs/bench.md. Exactly one of
/// these: `rounds`, `path`, or graphs that the data's task makes.
struct GridAsk {
  std::string name;
  int rounds = 0;            ///< how often the test graphs are asked again, renumbered
  std::string path;          ///< of another data set
  std::string pairs;         ///< in what the graphs of a pair agree; empty: no pairs
  std::size_t count = 1000;  ///< graphs, or pairs
  /// Of the task, on top of those of the data.
  std::map<std::string, std::string> task_options;
  long line = 0;  ///< of the configuration
};

/// A data set of a grid: anybody's, by its path, or one to be made for a task.
struct GridData {
  std::string name;  ///< a column of the table
  std::string path;  ///< empty: made from what follows
  std::string task;
  std::uint64_t seed = 1;
  std::size_t candidates = 200000;
  bool filter = true;
  /// What the configuration says, as texts a Parameter understands; by name.
  std::map<std::string, std::string> task_options;
  std::map<std::string, std::string> filter_options;
  /// Test on graphs of other sizes: test_on_sizes(). Nothing: as the task's options have them.
  std::optional<NodeRange> test_nodes = {};
  GridControls controls = {};
  bool audit = true;  ///< whether its audit goes into the store
  std::vector<GridAsk> asks = {};
  long line = 0;  ///< of the configuration
};

/// What stands for the method of a row whose runs are done elsewhere and recorded:
/// record_answers().
inline constexpr const char* kRecordedMethod = "recorded";

/// One method with one set of options on one data set; a run is this with a fold and a seed.
struct GridCell {
  std::string row;  ///< what the table calls it: the method, and what is varied
  std::string method;
  std::string data;     ///< the column: GridData::name
  std::string same_as;  ///< the column whose runs it takes; empty: it has its own
  std::map<std::string, std::string> options;
  std::vector<int> folds;
  Folding folding = Folding::kUsual;
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;      ///< how many: seed, seed + 1, and so on
  double expected_minutes = 1;  ///< how long a run may take: long ones go first
  long line = 0;                ///< of the configuration
  int place = 0;                ///< among the cells of the configuration

  /// The data set that its runs are of.
  const std::string& runs_on() const { return same_as.empty() ? data : same_as; }
};

/// Which figure a table shows.
enum class TableMetric { kAccuracy, kMacroF1, kPositiveF1 };
std::string_view metric_key(TableMetric metric);   ///< "accuracy"
std::string_view metric_name(TableMetric metric);  ///< "test accuracy"
/// Throws UsageError for anything else.
TableMetric metric_of_key(std::string_view key);

/// An experiment: data sets x methods x folds x seeds x values of options, and what a paper says of
/// it.
struct Grid {
  std::string name;  ///< "table1"
  std::string title;
  TableMetric metric = TableMetric::kAccuracy;
  std::vector<GridData> data;
  std::vector<GridCell> cells;
  std::string paper;                                               ///< where its figures are from
  std::map<std::string, std::map<std::string, double>> published;  ///< [data][row], per cent
  std::string text;                                                ///< the configuration itself
};

/// Reads a configuration (docs/bench.md). Whether methods and tasks know the options is not checked
/// here. Throws InputError with the line of what is wrong.
Grid parse_grid(std::string_view text, const std::string& file);

/// Reads one that a store has kept, where `expected_minutes` may go by its earlier name, `minutes`.
Grid parse_stored_grid(std::string_view text, const std::string& file);

/// "0-9", "0,3,5": ascending, each once, in 0..9. Throws UsageError.
std::vector<int> parse_folds(std::string_view text);

/// Keeps the cells whose row or method fits one of the patterns ("tf*", "gcn?", "svm-wl"; several
/// with commas), and the data sets they need. Throws UsageError when nothing fits one of them.
void keep_only(Grid& grid, std::string_view patterns);

}  // namespace bermuda
