#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/bench/grid.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/run/result.hpp"
#include "bermuda/run/spec.hpp"

namespace bermuda {

enum class RunState { kWaiting, kRunning, kDone, kFailed };
std::string_view state_name(RunState state);  ///< "waiting", "running", "done", "failed"
RunState state_named(std::string_view name);  ///< the reverse; throws Error

/// A row of the store: one run.
struct RunRecord {
  std::int64_t id = 0;
  std::string key;
  RunSpec spec;
  RunState state = RunState::kWaiting;
  std::string owner;     ///< who is doing it, while it is running
  std::string error;     ///< why it failed
  std::string finished;  ///< when, UTC
  RunResult result;      ///< of one that is done; curve, answers and asked have their own queries
};

/// A grid that was run into the store.
struct GridRecord {
  std::int64_t id = 0;
  std::string name;
  std::string title;
  TableMetric metric = TableMetric::kAccuracy;
  std::string paper;
  std::map<std::string, std::map<std::string, double>> published;  ///< [data][row], per cent
  std::string config;                                              ///< the TOML text
  std::string command;                                             ///< what the user typed last
};

/// A place in a grid's table, and the run that fills it.
struct GridEntry {
  std::string row;
  std::string data;  ///< the column
  int fold = 0;
  std::uint64_t seed = 1;
  std::int64_t run = 0;
  std::string taken_from = {};  ///< the column whose run it is; empty: its own
};

/// A data set that runs in the store were done on.
struct DataRecord {
  std::int64_t id = 0;
  std::string name;
  std::string path;
  std::string checksum;
  std::vector<std::string> class_names;
  std::vector<std::string> meanings;  ///< of the classes, where a task says so
  nlohmann::ordered_json splits;      ///< name, graphs, class_counts, mean_nodes, mean_edges
  nlohmann::ordered_json provenance;  ///< how it was made; the filter's figures are in "filter"
  nlohmann::ordered_json audit;       ///< null while it was not audited
};

/// A place in a grid to be filled.
struct PlannedRun {
  std::string row;
  int place = 0;            ///< of the row in the configuration
  std::string column = {};  ///< of the table, where that is not the data's: it shows another's runs
  RunSpec spec;
  double expected_minutes = 1;  ///< how long it may take: only the order depends on it
};

/// Results in one SQLite file (WAL: readers never wait; a killed program leaves it whole). Several
/// processes may use one store at a time; a run is done by whoever claims it first.
///
/// A store may be somebody else's. It is opened so that nothing in it is run (no views, triggers or
/// functions of its schema); its tables must be as this program makes them, and whatever is read of
/// a row is checked. One that may not be written is read beside its write-ahead log all the same,
/// from a private copy where SQLite needs it.
///
/// Errors: InputError for a damaged file, one of a newer version or one that is no store, and for
/// rows that say something impossible; UsageError for a store that cannot be opened or written;
/// IoError for the disk.
class Store {
 public:
  /// 2: figures of the last epoch, seeds and columns that take their runs from others. 3: what
  /// models are asked beside the test graphs. 4: edge labels of graphs, so that isomorphic ones are
  /// told by them, too. One of an earlier version is read as it is, and becomes one of today's when
  /// it is opened for writing.
  static constexpr int kVersion = 4;
  enum class Mode { kRead, kWrite, kCreate };  ///< kCreate: made if it is not there

  Store(const std::filesystem::path& file, Mode mode);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::filesystem::path& file() const { return file_; }
  /// Throws Error when the file was deleted, moved or replaced since: what is written would be lost
  /// with the last process that has it open. So does every call that writes.
  void check_still_there() const;

  // Writing. Each call is a transaction of its own unless it is made inside together().

  /// All writes of `body` happen or none does. With `durable` they are on the disk afterwards;
  /// without, power loss may take back the last moments (never the program's death).
  void together(bool durable, const std::function<void()>& body);
  /// The data set with the graphs that are tested on, if it is not there yet; its number.
  std::int64_t put_data(const DataSet& data, const std::string& path, const std::string& checksum,
                        const std::vector<std::string>& meanings);
  void put_audit(std::int64_t data, const nlohmann::ordered_json& audit);
  /// Notes the grid and what is to be done. Runs that are there already, in whatever state, stay;
  /// places of the table that the grid no longer has, or whose runs are not what it asks for
  /// today, are forgotten (their runs stay, and are found again by whoever asks for them).
  void plan(const Grid& grid, const std::string& command, const std::vector<PlannedRun>& runs);
  /// Takes a run that waits or has failed; false when it is done or another process does it.
  bool claim(const std::string& key, const std::string& owner);
  /// `finished` is when, where that was not now.
  void finish(const std::string& key, const RunResult& result, const std::string& finished = {});
  void fail(const std::string& key, const std::string& reason);
  /// Gives back what is claimed and not finished.
  void release(const std::string& key);
  void release_all(const std::string& owner);

  // Reading.

  std::vector<std::string> owners() const;  ///< of runs that are being done
  std::vector<GridRecord> grids() const;
  std::vector<GridEntry> entries(std::int64_t grid) const;  ///< in the order of the configuration
  std::vector<RunRecord> runs() const;                      ///< ordered by number
  std::vector<EpochRecord> curve(std::int64_t run) const;
  std::vector<AskedResult> asked(std::int64_t run) const;
  /// None at the last epoch where that was kept.
  std::vector<Answer> answers(std::int64_t run, WhichEpoch epoch = WhichEpoch::kKept) const;
  std::vector<DataRecord> data_sets() const;
  /// The graphs that are tested on, in the order that answers count by.
  std::vector<Sample> graphs(std::int64_t data) const;

 private:
  class Rows;
  void make_or_check(Mode mode);
  void check();
  void check_schema() const;
  void upgrade();
  void put_edge_labels(std::int64_t id, const DataSet& data);
  void forget_others(std::int64_t id, const Grid& grid, const std::string& before,
                     const std::vector<PlannedRun>& planned);

  std::filesystem::path file_;
  std::unique_ptr<Rows> rows_;
  std::int64_t version_ = kVersion;  // of the file
  std::uint64_t device_ = 0;         // of the file that was opened
  std::uint64_t number_ = 0;         // there
};

}  // namespace bermuda
