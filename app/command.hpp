#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/core/team.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/run/result.hpp"
#include "terminal.hpp"

namespace bermuda::app {

/// The options whose names are the same everywhere.
struct CommonOptions {
  std::string output;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  bool quiet = false;
  bool json = false;
  bool force = false;
  int max_nodes = kUsualMostNodes;  ///< of a graph that is read
};

/// What a command is given when it runs. On a rank that is not in charge it says nothing to
/// anybody.
class Session {
 public:
  /// The team outlives the session, so that a failure can still end the other ranks.
  Session(const CommonOptions& options, const std::atomic<bool>& stop, std::unique_ptr<Team>& team);

  /// Of this process alone.
  Execution execution() { return {threads_, &progress_, stop_}; }
  /// With all ranks; for commands that use_team().
  Execution shared_execution() { return {threads_, &progress_, stop_, &team()}; }
  int threads() const { return threads_; }
  /// The ranks of mpirun, joined at the first call. For commands that use_team(): all ranks call
  /// it.
  Team& team();
  /// For people, on standard error.
  void note(std::string_view text) { progress_.note(text); }
  /// The result: text for people on standard output, or with --json the object and nothing else.
  void result(std::string_view text, const nlohmann::ordered_json& json) const;

 private:
  bool json_;
  bool in_charge_;
  int threads_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<Team>& team_;
  TerminalProgress progress_;
};

/// A command: its options live here, run() does the work and returns the exit code.
class Command {
 public:
  virtual ~Command() = default;
  /// Adds the subcommand(s); the one that the user names sets `chosen` to what shall run.
  virtual void declare(CLI::App& program) = 0;
  /// Called after declare() with the words of the command line, the program's name left out. For
  /// subcommands that are not known before plug-ins are looked at: only who is named does that.
  virtual void declare_for(std::span<const std::string> /*words*/) {}
  virtual int run(Session& session) = 0;
  /// Whether all ranks of mpirun run it; otherwise rank 0 alone does.
  virtual bool uses_team() const { return false; }
  const CommonOptions& common() const { return common_; }
  bool chosen() const { return chosen_; }

 protected:
  /// Makes a subcommand with description and examples that selects this command.
  CLI::App* add(CLI::App& parent, const std::string& name, const std::string& description,
                const std::string& examples);
  void add_output(CLI::App* command, const std::string& what);
  /// A whole number without sign; every option of that kind is parsed here.
  static void add_number(CLI::App* command, const std::string& name, std::uint64_t& place,
                         std::uint64_t low, std::uint64_t high, const std::string& help);
  void add_seed(CLI::App* command);
  void add_threads(CLI::App* command, bool one_by_default = false);
  void add_quiet(CLI::App* command);
  void add_json(CLI::App* command);
  void add_force(CLI::App* command);
  /// --seed, --threads, --force, --json and --quiet, for commands whose work makes files.
  void add_work_options(CLI::App* command);
  /// DATA and --max-nodes.
  void add_data(CLI::App* command, std::string& place);
  void add_max_nodes(CLI::App* command);
  /// How to read the data: every graph has a class.
  ReadOptions reading(Session& session) const { return {common_.max_nodes, session.execution()}; }
  /// The same for commands that get along without.
  ReadOptions reading_any(Session& session) const {
    return {common_.max_nodes, session.execution(), true};
  }
  static void add_run(CLI::App* command, std::string& place);
  /// --folding, as folding_named() understands it.
  static void add_folding(CLI::App* command, std::string& place);
  /// --epoch, for commands that show tables.
  static void add_epoch(CLI::App* command, WhichEpoch& place);
  static void add_parameters(CLI::App* command, const ParameterSet& parameters,
                             const std::string& group);

  CommonOptions common_;
  bool chosen_ = false;
};

std::unique_ptr<Command> make_generate();
std::unique_ptr<Command> make_pairs_command();
std::unique_ptr<Command> make_filter();
std::unique_ptr<Command> make_dataset();
std::unique_ptr<Command> make_info();
std::unique_ptr<Command> make_verify();
std::unique_ptr<Command> make_audit();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_draw();
std::unique_ptr<Command> make_fetch();
std::unique_ptr<Command> make_tasks();
std::unique_ptr<Command> make_methods();
std::unique_ptr<Command> make_folds();
std::unique_ptr<Command> make_train();
std::unique_ptr<Command> make_predict();
std::unique_ptr<Command> make_score();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_expressivity();
std::unique_ptr<Command> make_regimes();
std::unique_ptr<Command> make_bench();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_help();
std::unique_ptr<Command> make_completion();
std::unique_ptr<Command> make_complete();
std::unique_ptr<Command> make_man();
std::unique_ptr<Command> make_worker();

/// Settings for people, one per line, and for programs.
std::string settings_text(const Settings& settings);
nlohmann::ordered_json settings_json(const Settings& settings);

}  // namespace bermuda::app
