#include <fmt/format.h>

#include <chrono>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/model_file.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "run_folder.hpp"

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
    CLI::App* parent = program.add_subcommand("train", "Train a method on a data set");
    parent->require_subcommand(1);
    parent->footer(
        "Examples:\n"
        "  bermuda train svm-wl D1 -o run\n"
        "  bermuda train svm-wl MUTAG --fold 3 -o run --max-rounds 3\n"
        "'bermuda methods' lists the methods.");
    for (const MethodInfo& info : methods().all()) {
      methods_.push_back(info.make());
      Method* method = methods_.back().get();
      CLI::App* command = add(*parent, info.name, info.summary,
                              fmt::format("  bermuda train {} D1 -o run --fold 0\n", info.name));
      command->callback([this, method] {
        chosen_ = true;
        method_ = method;
      });
      add_data(command, data_);
      add_output(command, "Run folder to make: the model and what is known of it");
      command->add_option("--fold", fold_, "Which of the ten folds (see docs/methods.md)")
          ->check(CLI::Range(0, kEvaluationFolds - 1))
          ->capture_default_str()
          ->type_name("F");
      add_seed(command);
      add_threads(command);
      add_force(command);
      add_json(command);
      add_quiet(command);
      add_parameters(command, method->parameters(), fmt::format("Method {}", info.name));
    }
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    const DataSet data = read_dataset(data_);
    const int classes = static_cast<int>(data.class_names.size());
    if (classes < 2) throw UsageError(fmt::format("{}: has one class only", data_));
    const FoldParts parts = fold_parts(data, fold_);

    const auto start = std::chrono::steady_clock::now();
    const FitReport fitted =
        method_->fit({parts.train, parts.validation, classes, common_.seed}, session.execution());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto predictions = method_->predict(parts.test, session.execution());
    const Metrics test = measure(parts.test, predictions, classes);

    Json json = {{"method", method_->name()},
                 {"program_version", kVersion},
                 {"data", data.name},
                 {"classes", data.class_names},
                 {"fold", fold_},
                 {"seed", common_.seed},
                 {"options", method_->parameters().values()},
                 {"train_graphs", parts.train.size()},
                 {"validation_graphs", parts.validation.size()},
                 {"test_graphs", parts.test.size()},
                 {"epochs", fitted.epochs},
                 {"best_epoch", fitted.best_epoch},
                 {"seconds", seconds},
                 {"validation_accuracy", fitted.validation_accuracy},
                 {"test_accuracy", test.accuracy},
                 {"test", to_json(test)},
                 {"chosen", fitted.details}};
    Json stored = json;
    stored["validation_ids"] = ids_of(parts.validation);
    stored["test_ids"] = ids_of(parts.test);

    PendingFolder folder(common_.output, common_.force);
    folder.write(kModelFile, encode_model(*method_, data.class_names));
    folder.write(kRunFile, stored.dump(1) + "\n");
    folder.commit();
    session.result(text(json, test, data), json);
    return 0;
  }

 private:
  std::string text(const Json& json, const Metrics& test, const DataSet& data) const {
    std::string chosen;
    for (const auto& [key, value] : json["chosen"].items()) {
      chosen += fmt::format("{}{} {}", chosen.empty() ? "" : ", ", key, value.dump());
    }
    return fmt::format(
               "{} on {}, fold {}: {} graphs to train, {} to validate, {} to test\n"
               "{}, {:.1f} s\n"
               "validation accuracy {:.2f} %\n"
               "test ",
               method_->name(), data.name, fold_, json["train_graphs"].dump(),
               json["validation_graphs"].dump(), json["test_graphs"].dump(), chosen,
               json["seconds"].get<double>(), json["validation_accuracy"].get<double>() * 100) +
           metrics_text(test, data.class_names) + fmt::format("written to {}\n", common_.output);
  }

  std::vector<std::unique_ptr<Method>> methods_;
  Method* method_ = nullptr;
  std::string data_;
  int fold_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_train() { return std::make_unique<TrainCommand>(); }

}  // namespace bermuda::app
