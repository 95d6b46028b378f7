#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/checkpoint_file.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/model_file.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "run_folder.hpp"
#include "trained_model.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> ids_of(const std::vector<const Sample*>& samples) {
  std::vector<std::string> ids;
  for (const Sample* sample : samples) ids.push_back(sample->id);
  return ids;
}

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
  void declare_for(std::span<char* const> words) override {
    if (words.empty() || std::string_view(words[0]) != kName) return;
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
    const DataSet data = read_dataset(data_);
    const int classes = static_cast<int>(data.class_names.size());
    if (classes < 2) throw UsageError(fmt::format("{}: has one class only", data_));
    const FoldParts parts = fold_parts(data, fold_);
    read_initial(data);
    const FitKey key = {std::string(method_->name()),
                        data.name,
                        samples_checksum(parts.train, parts.validation),
                        fold_,
                        common_.seed,
                        method_->settings().values(),
                        initial_.empty() ? "" : sha256(initial_)};
    if (resume_ && is_finished_run(common_.output)) return tell_finished(key, session);

    RunFolder folder(common_.output, common_.force, key);
    if (resume_) {
      folder.resume(method_->settings());
      session.note(fmt::format("resuming after epoch {}", folder.epochs()));
    }
    try {
      fit(folder, key, data, parts, session);
    } catch (const Interrupted&) {
      folder.flush();
      if (folder.epochs() == 0) throw;
      throw Interrupted(fmt::format(
          "interrupted after {} epochs, kept in {}: the same command with --resume goes on",
          folder.epochs(), common_.output));
    } catch (const IoError&) {
      throw;  // the disk will not take the rest either
    } catch (...) {
      folder.flush();
      throw;
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
    if (method_->can_go_on()) {
      command
          ->add_option("--from", from_,
                       "Begin with what this run of the same method, or its model file, has learnt")
          ->type_name("RUN");
    }
    add_seed(command);
    if (method_->runs_on_one_thread()) common_.threads = 1;
    add_threads(command, method_->runs_on_one_thread());
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
    check_output(common_.output, common_.force || resume_);
  }

  void read_initial(const DataSet& data) {
    if (from_.empty()) return;
    const Model model = read_model(from_);
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

  void fit(RunFolder& folder, const FitKey& key, const DataSet& data, const FoldParts& parts,
           Session& session) {
    const int classes = static_cast<int>(data.class_names.size());
    const FitReport fitted =
        method_->fit({parts.train, parts.validation, classes, common_.seed, &folder, initial_},
                     session.execution());
    const double seconds = folder.seconds();
    const double cpu_seconds = folder.cpu_seconds();
    const auto predictions = method_->predict(parts.test, session.execution());
    const Metrics test = measure(parts.test, predictions, classes);
    const Json json = {{"method", key.method},
                       {"program_version", kVersion},
                       {"data", key.data},
                       {"classes", data.class_names},
                       {"fold", key.fold},
                       {"seed", key.seed},
                       {"options", key.options},
                       {"train_graphs", parts.train.size()},
                       {"validation_graphs", parts.validation.size()},
                       {"test_graphs", parts.test.size()},
                       {"epochs", fitted.epochs},
                       {"best_epoch", fitted.best_epoch},
                       {"seconds", seconds},
                       {"cpu_seconds", cpu_seconds},
                       {"validation_accuracy", fitted.validation_accuracy},
                       {"test_accuracy", test.accuracy},
                       {"test", to_json(test)},
                       {"chosen", fitted.details}};
    Json stored = json;
    stored["data_checksum"] = key.data_checksum;
    stored["initial"] = key.initial;
    stored["validation_ids"] = ids_of(parts.validation);
    stored["test_ids"] = ids_of(parts.test);
    folder.finish(fitted, encode_model(*method_, data.class_names), stored.dump(1) + "\n");
    session.result(run_text(json, common_.output) + fmt::format("written to {}\n", common_.output),
                   json);
  }

  int tell_finished(const FitKey& key, Session& session) const {
    const std::string file = (std::filesystem::path(common_.output) / kRunFile).string();
    Json run = parse_json_object(read_file(file), file, 1);
    try {
      const FitKey stored = {
          run.at("method"), run.at("data"),    run.value("data_checksum", ""), run.at("fold"),
          run.at("seed"),   run.at("options"), run.value("initial", "")};
      const auto differences = key_differences(stored, key, method_->settings(), "run");
      if (!differences.empty()) {
        throw UsageError(fmt::format("{}: a finished run of other settings: {}", common_.output,
                                     fmt::join(differences, "; ")));
      }
      for (const char* only_stored : {"data_checksum", "initial", "validation_ids", "test_ids"}) {
        run.erase(only_stored);
      }
      session.note(fmt::format("{}: finished already, nothing to resume", common_.output));
      session.result(run_text(run, common_.output), run);
    } catch (const Json::exception& error) {
      throw InputError(file, 0, fmt::format("something else ({})", error.what()),
                       "what train writes there");
    }
    return 0;
  }

  CLI::App* parent_ = nullptr;
  std::unique_ptr<Method> method_;
  std::string data_;
  std::string from_;
  std::string initial_;  // what the model of --from has learnt
  int fold_ = 0;
  bool resume_ = false;
};

}  // namespace

std::unique_ptr<Command> make_train() { return std::make_unique<TrainCommand>(); }

}  // namespace bermuda::app
