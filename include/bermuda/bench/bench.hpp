#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bermuda/bench/data_cache.hpp"
#include "bermuda/bench/records.hpp"
#include "bermuda/bench/store.hpp"
#include "bermuda/bench/workers.hpp"

namespace bermuda {

/// A grid with its data at hand and every run spelt out.
struct Plan {
  Grid grid;
  std::map<std::string, PreparedData> data;  ///< by GridData::name
  std::vector<PlannedRun> runs;
};

/// Spells out the runs of the cells. Options are checked against the methods; a wrong one is a
/// UsageError that names the line of the configuration.
std::vector<PlannedRun> spell_out(const Grid& grid, const std::map<std::string, PreparedData>& data,
                                  const MethodRegistry& methods, const std::string& file);

/// The same checks alone, before any data is made.
void check_methods(const Grid& grid, const MethodRegistry& methods, const std::string& file);

struct BenchOutcome {
  std::size_t done = 0;                                       ///< now
  std::size_t earlier = 0;                                    ///< were in the store already
  std::size_t elsewhere = 0;                                  ///< another process is doing them
  std::size_t to_record = 0;                                  ///< are not ours to do
  std::vector<std::pair<std::string, std::string>> failures;  ///< which run, and why
};

struct BenchOptions {
  std::filesystem::path work;                         ///< folder for checkpoints and locks
  std::function<void(const std::string&)> note = {};  ///< told what happened, for people
};

/// Does what the store lacks, longest runs first, and writes down each result as it comes. When
/// asked to stop it throws Interrupted; runs under way keep their checkpoints. A run that fails
/// does not stop the others.
BenchOutcome run_bench(Store& store, const Plan& plan, Workers& workers,
                       const BenchOptions& options, const Execution& execution);

/// What became of the runs of a file.
struct ImportOutcome {
  std::size_t taken = 0;
  std::size_t known = 0;       ///< were done already; these stay as they are
  std::size_t elsewhere = 0;   ///< another process is doing them
  std::size_t unfinished = 0;  ///< in the file
  std::map<std::string, std::vector<std::string>> others = {};  ///< none of the plan's: by reason
};
std::string import_text(const ImportOutcome& outcome);  ///< for people

/// Takes up a finished run that `bermuda train` made, if it is one of the plan's: its model answers
/// the test graphs again, and must say what the run's own record says. One that is done, or that
/// another process does, stays as it is. Throws UsageError or InputError when it does not fit.
/// `work` is the folder of locks.
ImportOutcome import_run(Store& store, const Plan& plan, const std::filesystem::path& folder,
                         const std::filesystem::path& work, const MethodRegistry& methods,
                         const Execution& execution);

/// Takes up the finished runs of a file that are runs of the plan, told by their keys. Their
/// figures are taken as they stand, once they fit the graphs and each other: InputError when they
/// do not, and nothing is taken. `work` is the folder of locks.
ImportOutcome import_results(Store& store, const Plan& plan, const Records& records,
                             const std::string& file, const std::filesystem::path& work);

/// Which place of a store's tables answers are for.
struct RecordedPlace {
  std::string row;
  std::string grid = {};  ///< empty: the only one that waits for such a run
  int fold = 0;
  std::uint64_t seed = 1;
};

/// A table of answers (parse_answers_table()).
struct AnswersFile {
  std::string text;
  std::string file;  ///< for errors
};

/// What was said of something that the grid asks beside the test graphs.
struct AskedAnswers {
  std::string name;               ///< of what is asked
  AnswersFile answers;            ///< of renumbered test graphs: one per round, under the same name
  const DataSet* data = nullptr;  ///< that was asked; of renumbered test graphs it is not looked at
};

/// Writes down what somebody else's program said of the test graphs of a fold, as the run of a row
/// that the store's grid has as `recorded`. `answers` has the test graphs and, if they are there,
/// the validation graphs; `asked` all that the grid asks beside, or nothing. The run, with its
/// figures. Throws UsageError when the store waits for no such run or asks something else,
/// InputError for the answers.
RunRecord record_answers(Store& store, const DataSet& data, const RecordedPlace& place,
                         const AnswersFile& answers, std::span<const AskedAnswers> asked,
                         double seconds, const Execution& execution);

/// Estimates how long a run takes, in minutes on one core, from finished runs that are like it.
class Expectations {
 public:
  void learn(const RunRecord& run);
  /// `otherwise` when nothing like it is done.
  double minutes(const RunSpec& spec, double otherwise) const;

 private:
  struct Seen {
    double minutes = 0;
    int count = 0;
  };
  std::unordered_map<std::string, Seen> seen_;  // by everything but the fold
};

/// Processor time; wall time where that is not known.
double spent_minutes(const RunResult& result);

}  // namespace bermuda
