#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/model_file.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "run_folder.hpp"

namespace bermuda::app {
namespace {

class PredictCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "predict", "Let a trained model classify graphs",
                            "  bermuda predict run D1 --split test\n"
                            "  bermuda predict run MY_TU_FOLDER -o answers.tsv\n");
    command->add_option("RUN", run_, "Run folder that train made, or its model file")
        ->required()
        ->type_name("");
    add_data(command, data_);
    command
        ->add_option("-o,--output", common_.output, "Table of answers to write: id, class, score")
        ->type_name("PATH");
    command->add_option("--split", split_, "Only this split of DATA")->type_name("NAME");
    add_threads(command);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    if (!common_.output.empty()) check_output(common_.output, common_.force);
    const std::filesystem::path path = std::filesystem::is_directory(run_)
                                           ? std::filesystem::path(run_) / kModelFile
                                           : std::filesystem::path(run_);
    if (!std::filesystem::exists(path)) {
      throw UsageError(fmt::format("{}: no model there{}", path.string(),
                                   is_unfinished_run(run_) ? ", for the run is unfinished" : ""));
    }
    const Model model = decode_model(read_file(path), path.string(), methods());
    DataSet data = read_dataset(data_);
    rename_classes(data, model.class_names);
    std::vector<const Sample*> samples = data.all();
    if (!split_.empty()) {
      const Split* split = data.find(split_);
      if (split == nullptr) {
        throw UsageError(fmt::format("{}: no split named {}", data_, in_quotes(split_)));
      }
      samples.clear();
      for (const Sample& sample : split->samples) samples.push_back(&sample);
    }

    Execution execution = session.execution();
    if (common_.threads == 0 && model.method->runs_on_one_thread()) execution.threads = 1;
    const auto predictions = model.method->predict(samples, execution);
    const Metrics metrics =
        measure(samples, predictions, static_cast<int>(model.class_names.size()));
    const std::string table = answers(samples, predictions, model.class_names);
    if (!common_.output.empty()) write_file_atomically(common_.output, table, common_.force);
    nlohmann::ordered_json json = to_json(metrics);
    json["method"] = model.method->name();
    const std::string text =
        fmt::format("{} on {} graphs: ", model.method->name(), metrics.count) +
        metrics_text(metrics, model.class_names) +
        (common_.output.empty() ? "" : fmt::format("written to {}\n", common_.output));
    session.result(text, json);
    return 0;
  }

 private:
  // The model's classes may be listed in another order than the data's, or be more.
  void rename_classes(DataSet& data, const std::vector<std::string>& class_names) const {
    std::vector<int> number;
    for (const std::string& name : data.class_names) {
      const auto place = std::find(class_names.begin(), class_names.end(), name);
      if (place == class_names.end()) {
        throw UsageError(fmt::format("{}: class {} is not one of the model's: {}", data_,
                                     in_quotes(name), fmt::join(class_names, ", ")));
      }
      number.push_back(static_cast<int>(place - class_names.begin()));
    }
    for (Split& split : data.splits) {
      for (Sample& sample : split.samples) {
        sample.label = number[static_cast<std::size_t>(sample.label)];
      }
    }
    data.class_names = class_names;
  }

  static std::string answers(const std::vector<const Sample*>& samples,
                             const std::vector<Prediction>& predictions,
                             const std::vector<std::string>& class_names) {
    std::string table = "#id\tclass\tscore\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto label = static_cast<std::size_t>(predictions[i].label);
      table += fmt::format("{}\t{}\t{:.6g}\n", samples[i]->id, class_names[label],
                           predictions[i].scores[label]);
    }
    return table;
  }

  std::string run_;
  std::string data_;
  std::string split_;
};

}  // namespace

std::unique_ptr<Command> make_predict() { return std::make_unique<PredictCommand>(); }

}  // namespace bermuda::app
