#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench_status.hpp"
#include "bermuda/bench/bench.hpp"
#include "bermuda/bench/records.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/utf8.hpp"
#include "bermuda/report/table.hpp"
#include "bermuda/report/table_maps.hpp"
#include "command.hpp"
#include "configs.hpp"
#include "methods.hpp"
#include "output.hpp"
#include "report_file.hpp"
#include "worker_program.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class BenchCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "bench",
                            "Run a grid of experiments into a store, and make its table and report",
                            "  bermuda bench quick\n"
                            "  bermuda bench table1 --folds 0-2 --only 'tf*,svm-wl'\n"
                            "  bermuda bench my.toml --store results.sqlite --jobs 4\n"
                            "  bermuda bench table1 --status\n"
                            "  bermuda bench table1 --export csv > table1.csv\n"
                            "  bermuda bench regimes --export heatmap -o regimes.svg\n"
                            "  mpirun -np 9 bermuda bench table1 --store /shared/table1.sqlite\n");
    command
        ->add_option("CONFIG", config_,
                     "quick, table1, table2, controls, regimes, or a TOML file (see docs/bench.md)")
        ->type_name("");
    command
        ->add_option("--store", store_,
                     "Where results are kept (default: CONFIG.sqlite in this folder)")
        ->type_name("FILE");
    command->add_option("--folds", folds_, "Which folds, e.g. 0-2 or 0,5 (default: as CONFIG says)")
        ->type_name("FOLDS");
    command->add_option("--only", only_, "Methods or rows to run, e.g. 'tf*,svm-wl' (default: all)")
        ->type_name("NAMES");
    command
        ->add_option("--jobs", jobs_, "How many runs at a time, one core each (default: all cores)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command
        ->add_option("--data", folders_,
                     "Folder to look in for data sets that CONFIG names by path (may be repeated)")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    add_max_nodes(command);
    command
        ->add_option("--import", imports_,
                     "Take up finished runs: an exported file, another store, or the folder of a "
                     "run that 'bermuda train' made (may be repeated)")
        ->type_name("PATH")
        ->allow_extra_args(false);
    command->add_flag("--no-run", no_run_,
                      "Do no runs: take up what --import names, and show what there is");
    CLI::Option* status = command->add_flag(
        "--status", status_,
        "Say what is done and what is not, after what --import names was taken up, and end");
    command
        ->add_option("--export", export_,
                     "Print all results and end, also after --import: a line per run (csv) or per "
                     "epoch (curves), all of it (json), or a picture of methods by data sets as "
                     "SVG (heatmap)")
        ->check(CLI::IsMember({"csv", "curves", "json", "heatmap"}))
        ->type_name("FORMAT")
        ->excludes(status);
    command
        ->add_option(
            "-o,--output", common_.output,
            "The report, or with --export its file (default: CONFIG.html; standard output)")
        ->type_name("PATH");
    command->add_flag("--no-report", no_report_, "Make no report at the end");
    add_epoch(command, epoch_);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  bool uses_team() const override { return !only_told() && !no_run_; }

  int run(Session& session) override {
    if (config_.empty() && (store_.empty() || !only_told() || !imports_.empty())) {
      throw UsageError(
          "CONFIG is missing: quick, table1, table2, controls, regimes or a TOML file");
    }
    if (store_.empty()) store_ = fs::path(config_).stem().string() + ".sqlite";
    if (only_told()) {
      if (imports_.empty()) return tell_what_is_there(session);
      no_report_ = true;
    }
    if (only_told() || no_run_) {
      check_path_text(fs::absolute(store_));
      return run_grid(session, nullptr);
    }
    Team& team = session.team();
    if (team.in_charge()) check_path_text(fs::absolute(store_));  // jobs carry it, as JSON
    if (!team.in_charge()) {
      const auto own = make_process_workers(1, program_path(), {kWorkerCommand});
      relay_jobs(team, *own);
      return 0;
    }
    return run_grid(session, &team);
  }

 private:
  bool only_told() const { return status_ || !export_.empty(); }

  int tell_what_is_there(Session& session) const {
    return status_ ? tell_status(session) : write_export(session.execution());
  }

  int tell_status(Session& session) const {
    Records records = read_records_file(store_);
    release_dead(records, work_folder());
    session.result(status_text(records), status_json(records));
    return 0;
  }

  int write_export(const Execution& execution) const {
    const Records records = read_records_file(store_, {.curves = true, .twins = execution});
    const std::string text =
        export_ == "csv"      ? export_csv(records)
        : export_ == "curves" ? export_curves(records)
        : export_ == "heatmap"
            ? heat_maps(records)
            : export_json(records).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (common_.output.empty()) {
      print_data(text);
    } else {
      write_output(common_.output, text, common_.force);
    }
    return 0;
  }

  /// Of the grid that CONFIG names, or else of all.
  std::string heat_maps(const Records& records) const {
    const std::string wanted = fs::path(config_).stem().string();
    std::vector<HeatMap> maps;
    for (const auto& grid : records.grids) {
      if (!wanted.empty() && grid.grid.name != wanted) continue;
      for (HeatMap& map : table_maps(make_table(records, grid, epoch_))) {
        maps.push_back(std::move(map));
      }
    }
    if (maps.empty()) {
      throw UsageError(fmt::format("{}: no results of {} in it", store_,
                                   wanted.empty() ? "any grid" : in_quotes(wanted)));
    }
    return stacked_maps_svg(maps);
  }

  fs::path work_folder() const { return fs::path(store_).replace_extension("work"); }

  /// The configuration with what the command line changes; `whole` is it without --only.
  struct Wanted {
    fs::path file;
    Grid whole;
    Grid grid;
    std::vector<fs::path> folders;  // to look for data in

    /// For each of the data sets; a UsageError about one gets its line.
    template <typename Body>
    void for_data(const Body& body) const {
      for (const GridData& data : grid.data) {
        try {
          body(data);
        } catch (const UsageError& error) {
          throw UsageError(fmt::format("{}:{}: {}", file.string(), data.line, error.what()));
        }
      }
    }
  };

  /// Whatever can be wrong with it is said here, before anything is made.
  Wanted read_config() const {
    Wanted wanted;
    wanted.file = find_config(config_);
    wanted.whole = parse_grid(read_file(wanted.file), wanted.file.string());
    if (!folds_.empty()) {
      for (GridCell& cell : wanted.whole.cells) cell.folds = parse_folds(folds_);
    }
    wanted.grid = wanted.whole;
    if (!only_.empty()) keep_only(wanted.grid, only_);
    wanted.folders = {wanted.file.parent_path(), fs::current_path()};
    wanted.folders.insert(wanted.folders.end(), folders_.begin(), folders_.end());
    check_methods(wanted.grid, methods(), wanted.file.string());
    wanted.for_data([&](const GridData& data) { check_data(data, wanted.folders); });
    return wanted;
  }

  Plan make_plan(const Wanted& wanted, Session& session) const {
    Plan plan;
    plan.grid = wanted.grid;
    wanted.for_data([&](const GridData& data) {
      plan.data.emplace(data.name, prepare_data(data, work_folder() / "data", wanted.folders,
                                                session.execution(), common_.max_nodes));
    });
    plan.runs = spell_out(plan.grid, plan.data, methods(), wanted.file.string());
    return plan;
  }

  std::string command_text() const {
    std::string text = "bermuda bench " + config_;
    if (!folds_.empty()) text += " --folds " + folds_;
    if (!only_.empty()) text += fmt::format(" --only '{}'", only_);
    return text;
  }

  /// Without a team, nothing is run.
  int run_grid(Session& session, Team* team) {
    if (!no_report_ && common_.output.empty()) {
      common_.output = fs::path(store_).replace_extension("html").string();
      common_.force = true;
    }
    const Wanted wanted = read_config();
    if (!no_report_) check_output(common_.output, common_.force);
    // One that is there must be fit to be told from at the end; one that is not is made when there
    // is something to put in.
    if (fs::exists(store_)) {
      read_records(Store(store_, Store::Mode::kCreate));
    } else {
      check_output(store_, false);
    }
    std::map<std::string, Records> results;  // read before anything is made, too
    for (const std::string& path : imports_) {
      if (!fs::is_directory(path)) results.emplace(path, read_records_file(path, {.curves = true}));
    }
    const Plan plan = make_plan(wanted, session);
    Store store(store_, Store::Mode::kCreate);
    for (const auto& [name, data] : plan.data) {
      store.put_data(data.data, data.path.string(), data.checksum, data.meanings);
    }
    store.plan(wanted.whole, command_text(), plan.runs);
    for (const std::string& path : imports_) {
      const auto read = results.find(path);
      const ImportOutcome found =
          read == results.end()
              ? import_run(store, plan, path, work_folder(), methods(), session.execution())
              : import_results(store, plan, read->second, path, work_folder());
      session.note(fmt::format("{}: {}", path, import_text(found)));
      imported_ += found.taken;
    }
    if (only_told()) return tell_what_is_there(session);
    if (team == nullptr) return tell(store, plan, what_is_done(store, plan), session);
    const std::unique_ptr<Workers> workers =
        team->size() > 1 ? make_team_workers(*team)
                         : make_process_workers(jobs_ > 0 ? jobs_ : session.threads(),
                                                program_path(), {kWorkerCommand});
    const BenchOutcome outcome = run_bench(
        store, plan, *workers,
        {work_folder(), [&](const std::string& text) { session.note(text); }}, session.execution());
    return tell(store, plan, outcome, session);
  }

  static BenchOutcome what_is_done(const Store& store, const Plan& plan) {
    std::set<std::string> keys;
    for (const PlannedRun& planned : plan.runs) keys.insert(planned.spec.key());
    BenchOutcome outcome;
    for (const RunRecord& run : store.runs()) {
      const bool done = run.state == RunState::kDone && keys.contains(run.key);
      outcome.earlier += done ? 1U : 0U;
    }
    return outcome;
  }

  /// Where the graphs of each column stand, and what models are asked beside.
  static Json data_json(const Plan& plan) {
    Json all = Json::object();
    for (const auto& [name, data] : plan.data) {
      Json asked = Json::object();
      for (const PreparedAsk& one : data.asks) {
        asked[one.ask.name] = one.ask.rounds > 0 ? Json{{"rounds", one.ask.rounds}}
                                                 : Json{{"path", one.path.string()}};
      }
      all[name] = {{"path", data.path.string()}, {"asked", asked}};
    }
    return all;
  }

  int tell(const Store& store, const Plan& plan, const BenchOutcome& outcome, Session& session) {
    store.check_still_there();
    const Records records = read_records(store, {.twins = session.execution()});
    const auto grid = std::ranges::find(records.grids, plan.grid.name,
                                        [](const auto& entry) { return entry.grid.name; });
    const ResultTable table = make_table(records, *grid, epoch_);
    std::string text = table_text(table);
    text += fmt::format("{} runs done now, {} earlier", outcome.done, outcome.earlier);
    if (outcome.elsewhere > 0) {
      text += fmt::format(", {} left to another process that does them", outcome.elsewhere);
    }
    if (outcome.to_record > 0) {
      text += fmt::format(", {} to be recorded ('bermuda score --store')", outcome.to_record);
    }
    text += fmt::format("; all in {}\n", store_);
    if (!no_report_) {
      ReportOptions options;
      options.epoch = epoch_;
      write_output(common_.output, report_of(store_, records, options, session.execution()),
                   common_.force);
      text += fmt::format("report: {}\n", common_.output);
    }
    Json failures = Json::array();
    for (const auto& [run, reason] : outcome.failures) {
      failures.push_back({{"run", run}, {"reason", reason}});
    }
    if (!outcome.failures.empty()) {
      session.note(fmt::format("{} failed; the same command tries again", outcome.failures.size()));
    }
    session.result(text, {{"done", outcome.done},
                          {"earlier", outcome.earlier},
                          {"elsewhere", outcome.elsewhere},
                          {"to_record", outcome.to_record},
                          {"imported", imported_},
                          {"failures", failures},
                          {"table", table_json(table)},
                          {"data", data_json(plan)},
                          {"store", store_},
                          {"report", no_report_ ? Json() : Json(common_.output)}});
    return outcome.failures.empty() ? 0 : 1;
  }

  std::string config_;
  std::string store_;
  std::string folds_;
  std::string only_;
  std::string export_;
  std::vector<std::string> folders_;
  std::vector<std::string> imports_;
  WhichEpoch epoch_ = WhichEpoch::kKept;
  int jobs_ = 0;
  bool status_ = false;
  std::size_t imported_ = 0;  // runs
  bool no_report_ = false;
  bool no_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench() { return std::make_unique<BenchCommand>(); }

}  // namespace bermuda::app
