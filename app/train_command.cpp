#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/run/event_file.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/folder.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "run_text.hpp"

namespace bermuda::app {
namespace {

class TrainCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    parent_ = program.add_subcommand(kName, "Train a method on a data set");
    parent_->require_subcommand(1);
    parent_->footer(
        "Examples:\n"
        "  bermuda train svm-wl D1 -o run\n"
        "  bermuda train svm-wl MUTAG --fold 3 -o run --max-rounds 3\n"
        "  bermuda train gin+d D1 -o run --max-minutes 30\n"
        "'bermuda methods' lists the methods.");
  }

  // Only the method that is named is made: that may load a plug-in, which takes its time.
  void declare_for(std::span<const std::string> words) override {
    if (words.empty() || words[0] != kName) return;
    for (const MethodInfo& info : methods().all()) {
      CLI::App* command = add(*parent_, info.name, info.summary,
                              fmt::format("  bermuda train {} D1 -o run --fold 0\n", info.name));
      if (words.size() > 1 && info.name == words[1]) {
        method_ = info.make();
        add_options(command);
      }
    }
  }

  int run(Session& session) override {
    check_run_folder();
    const DataSet data = read_dataset(data_, reading(session));
    if (data.class_names.size() < 2) throw UsageError(fmt::format("{}: has one class only", data_));
    read_initial(data);
    const RunSpec spec = describe_run(*method_, data, fold_, common_.seed, initial_,
                                      folding_named(folding_), session.execution());
    if (resume_ && is_finished_run(common_.output)) return tell_finished(spec, session);

    RunFolder folder(common_.output, common_.force, spec);
    if (resume_) {
      folder.resume(method_->settings());
      session.note(fmt::format("resuming after epoch {}", folder.epochs()));
    }
    std::optional<EventFile> events = event_file(folder);
    if (events) folder.watch([&](std::span<const EpochRecord> epochs) { events->add(epochs); });
    try {
      const RunResult result = execute(spec, data, *method_, folder, session.execution(), initial_);
      folder.finish(result, *method_, data);
      if (events) events->add(result);
      const FinishedRun run = {spec, result, data.class_names};
      session.result(run_text(run) + fmt::format("written to {}\n", common_.output), to_json(run));
    } catch (const Interrupted&) {
      if (folder.epochs() == 0) throw;
      throw Interrupted(fmt::format(
          "interrupted after {} epochs, kept in {}: the same command with --resume goes on",
          folder.epochs(), common_.output));
    }
    return 0;
  }

 private:
  static constexpr const char* kName = "train";

  void add_options(CLI::App* command) {
    add_data(command, data_);
    add_output(command, "Run folder to make: the model and what is known of it");
    command->add_option("--fold", fold_, "Which of the ten folds (see docs/methods.md)")
        ->check(CLI::Range(0, kEvaluationFolds - 1))
        ->capture_default_str()
        ->type_name("F");
    add_folding(command, folding_);
    if (method_->can_go_on()) {
      command
          ->add_option("--from", from_,
                       "Begin with what this run of the same method, or its model file, has learnt")
          ->type_name("RUN");
    }
    add_seed(command);
    if (method_->runs_on_one_thread()) common_.threads = 1;
    add_threads(command, method_->runs_on_one_thread());
    command
        ->add_option(
            "--tensorboard", tensorboard_,
            "Also write the curve as event files, into the folder of this run's name there")
        ->type_name("FOLDER");
    command->add_flag("--resume", resume_, "Go on with the interrupted run in PATH");
    add_force(command);
    command->get_option("--resume")->excludes("--force");
    add_json(command);
    add_quiet(command);
    add_parameters(command, method_->parameters(), fmt::format("Method {}", method_->name()));
  }

  // Before any work is done: is there what --resume needs, or room for a new run?
  void check_run_folder() const {
    const bool unfinished = is_unfinished_run(common_.output);
    if (!resume_ && !common_.force && unfinished) {
      throw UsageError(
          fmt::format("{}: holds an unfinished run (--resume goes on with it, --force starts anew)",
                      common_.output));
    }
    if (resume_ && !unfinished && !is_finished_run(common_.output)) {
      throw UsageError(fmt::format("{}: no checkpoint there to resume from", common_.output));
    }
    if (!resume_) {
      check_output(common_.output, common_.force);
    } else if (unfinished) {  // goes on in its folder, where other files may stand
      check_output(std::filesystem::path(common_.output) / kRunFile, false);
    }
  }

  std::optional<EventFile> event_file(const RunFolder& folder) const {
    if (tensorboard_.empty()) return std::nullopt;
    const std::filesystem::path run = std::filesystem::absolute(common_.output);
    const std::filesystem::path place = std::filesystem::path(tensorboard_) /
                                        (run.has_filename() ? run : run.parent_path()).filename();
    return resume_ ? EventFile::go_on(place, folder.epochs())
                   : EventFile::begin(place, common_.force);
  }

  void read_initial(const DataSet& data) {
    if (from_.empty()) return;
    const Model model = read_model(from_, methods());
    if (model.method->name() != method_->name()) {
      throw UsageError(fmt::format("--from: found a model of {}, expected one of {}",
                                   model.method->name(), method_->name()));
    }
    if (model.class_names != data.class_names) {
      throw UsageError(fmt::format("--from: a model for classes {}, expected {}",
                                   fmt::join(model.class_names, ", "),
                                   fmt::join(data.class_names, ", ")));
    }
    ByteWriter out;
    model.method->save(out);
    initial_ = out.bytes();
  }

  int tell_finished(const RunSpec& spec, Session& session) const {
    const FinishedRun run = read_finished_run(common_.output);
    const auto differences = fit_differences(run.spec, spec, method_->settings(), "run");
    if (!differences.empty()) {
      throw UsageError(fmt::format("{}: a finished run of other settings: {}", common_.output,
                                   fmt::join(differences, "; ")));
    }
    session.note(fmt::format("{}: finished already, nothing to resume", common_.output));
    session.result(run_text(run), to_json(run));
    return 0;
  }

  CLI::App* parent_ = nullptr;
  std::unique_ptr<Method> method_;
  std::string data_;
  std::string from_;
  std::string initial_;  // what the model of --from has learnt
  int fold_ = 0;
  std::string folding_ = std::string(folding_name(Folding::kUsual));
  std::string tensorboard_;
  bool resume_ = false;
};

}  // namespace

std::unique_ptr<Command> make_train() { return std::make_unique<TrainCommand>(); }

}  // namespace bermuda::app
