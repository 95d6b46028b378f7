#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/method/answers_table.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/pair_score.hpp"
#include "bermuda/method/relabelling.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "run_text.hpp"
#include "selection.hpp"
#include "trained_model.hpp"

namespace bermuda::app {
namespace {

class PredictCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "predict", "Let a trained model classify graphs",
                            "  bermuda predict run D1 --split test\n"
                            "  bermuda predict run MY_TU_FOLDER -o answers.tsv\n"
                            "  bermuda predict run unlabelled.jsonl --json\n");
    add_run(command, run_);
    add_data(command, data_);
    command
        ->add_option(
            "-o,--output", common_.output,
            "Table of answers to write: id, class, score, stable, and the score of each class")
        ->type_name("PATH");
    selection_.add_split(command);
    command
        ->add_option("--relabel", relabel_,
                     "How often to ask again with nodes renumbered at random; 0: not at all")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option(kEvalShuffles, eval_shuffles_,
                     "Methods that draw node indices: over how many draws to average")
        ->type_name("K");
    command->add_flag("--run-command", run_command_,
                      "Let the model of a program run its command, which comes with it");
    command->add_flag("--ignore-classes", ignore_classes_,
                      "Ask as if the graphs had no class: also where the model has others");
    add_work_options(command);
  }

  int run(Session& session) override {
    if (!common_.output.empty()) check_output(common_.output, common_.force);
    const Model model = read_model(run_, methods());
    allow_command(*model.method, run_, run_command_);
    if (!eval_shuffles_.empty()) set_eval_shuffles(*model.method);
    const DataSet data = read_dataset_for(model, data_, reading_any(session), ignore_classes_);
    const std::vector<const Sample*> samples = samples_of(selection_.of(data, data_));
    const std::vector<std::string> notes = note_differences(model, samples, data, session);

    const Execution execution = execution_for(*model.method, common_, session);
    const auto predictions = model.method->predict(samples, execution);
    check_predictions(predictions, samples.size(), static_cast<int>(model.class_names.size()));
    const Metrics metrics = measure_known(samples, predictions, model.class_names.size());
    const RelabellingReport relabelled =
        relabelling(*model.method, samples, predictions, relabel_, common_.seed, execution);
    if (!common_.output.empty()) {
      write_output(common_.output, answers(samples, predictions, model.class_names, relabelled),
                   common_.force);
    }
    nlohmann::ordered_json json = metrics_json(metrics, samples.size());
    const auto pairs = score_pairs(data, samples, predictions);
    if (pairs) json["pairs"] = pairs->to_json();
    json["answers"] = nlohmann::ordered_json::object();
    const std::vector<std::size_t> counts = answer_counts(predictions, model.class_names.size());
    for (std::size_t c = 0; c < counts.size(); ++c) {
      json["answers"][model.class_names[c]] = counts[c];
    }
    json["notes"] = notes;
    json["classes"] = model.class_names;
    json["method"] = model.method->name();
    json["relabelling_rounds"] = relabelled.rounds;
    if (relabelled.rounds > 0) {
      json["relabelling_sensitivity"] = relabelled.mean_share();
      json["relabelling_changed_in_any_round"] = relabelled.any_share();
    }
    const std::string text =
        fmt::format("{} on {} graph{}", model.method->name(), samples.size(),
                    samples.size() == 1 ? "" : "s") +
        outcome_text(metrics, samples.size(), counts, model.class_names) +
        (pairs ? pairs->text() : "") + relabelling_text(relabelled) +
        (common_.output.empty() ? "" : fmt::format("written to {}\n", common_.output));
    session.result(text, json);
    return 0;
  }

 private:
  static constexpr const char* kEvalShuffles = "--eval-shuffles";

  void set_eval_shuffles(Method& method) const {
    const ParameterSet parameters = method.parameters();
    const std::string_view name = std::string_view(kEvalShuffles).substr(2);
    const auto found = std::ranges::find(parameters.all(), name, &Parameter::name);
    if (found == parameters.all().end()) {
      throw UsageError(
          fmt::format("{} has no {}: it draws no node indices", method.name(), kEvalShuffles));
    }
    found->set(eval_shuffles_);
  }

  /// Over the graphs whose class is known.
  static Metrics measure_known(const std::vector<const Sample*>& samples,
                               const std::vector<Prediction>& predictions, std::size_t classes) {
    std::vector<const Sample*> known;
    std::vector<Prediction> said;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i]->label == Sample::kNoClass) continue;
      known.push_back(samples[i]);
      said.push_back(predictions[i]);
    }
    return measure(known, said, static_cast<int>(classes));
  }

  static nlohmann::ordered_json metrics_json(const Metrics& metrics, std::size_t asked) {
    nlohmann::ordered_json json = {{"count", asked}, {"with_class", metrics.count}};
    nlohmann::ordered_json measured = told_json(metrics);
    measured.erase("count");
    for (const auto& [name, value] : measured.items()) {
      json[name] = metrics.count > 0 ? value : nlohmann::ordered_json();
    }
    return json;
  }

  static std::vector<std::size_t> answer_counts(const std::vector<Prediction>& predictions,
                                                std::size_t classes) {
    std::vector<std::size_t> counts(classes, 0);
    for (const Prediction& prediction : predictions) {
      ++counts.at(static_cast<std::size_t>(prediction.label));
    }
    return counts;
  }

  static std::string outcome_text(const Metrics& metrics, std::size_t asked,
                                  const std::vector<std::size_t>& counts,
                                  const std::vector<std::string>& class_names) {
    if (metrics.count == asked) return ": " + metrics_text(metrics, class_names);
    std::string text =
        fmt::format(", {} with a class\n",
                    metrics.count == 0 ? "none" : fmt::format("{} of them", metrics.count));
    for (std::size_t c = 0; c < counts.size(); ++c) {
      text += fmt::format("answered {}: {} ({:.1f} %)\n", class_names[c], counts[c],
                          100.0 * static_cast<double>(counts[c]) / static_cast<double>(asked));
    }
    if (metrics.count > 0) {
      text +=
          fmt::format("the {} with a class: ", metrics.count) + metrics_text(metrics, class_names);
    }
    return text;
  }

  static std::string relabelling_text(const RelabellingReport& report) {
    if (report.rounds == 0) return "";
    const std::string rounds = report.rounds == 1
                                   ? "1 round"
                                   : fmt::format("mean of {} rounds; {:.1f} % in any of them",
                                                 report.rounds, report.any_share() * 100);
    return fmt::format("answers that change when nodes are renumbered: {:.1f} % ({})\n",
                       report.mean_share() * 100, rounds);
  }

  static std::string answers(const std::vector<const Sample*>& samples,
                             const std::vector<Prediction>& predictions,
                             const std::vector<std::string>& class_names,
                             const RelabellingReport& relabelled) {
    const bool asked_again = relabelled.rounds > 0;
    std::vector<std::string> more = {"score"};
    if (asked_again) more.emplace_back("stable");
    std::string table = answers_header(class_names, more);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto label = static_cast<std::size_t>(predictions[i].label);
      table += fmt::format("{}\t{}\t{:.6g}", samples[i]->id, class_names[label],
                           predictions[i].scores[label]);
      if (asked_again) table += fmt::format("\t{:.6g}", relabelled.stable(i));
      for (const double score : predictions[i].scores) table += fmt::format("\t{:.6g}", score);
      table += '\n';
    }
    return table;
  }

  std::string run_;
  std::string data_;
  Selection selection_;
  std::string eval_shuffles_;
  int relabel_ = 1;
  bool run_command_ = false;
  bool ignore_classes_ = false;
};

}  // namespace

std::unique_ptr<Command> make_predict() { return std::make_unique<PredictCommand>(); }

}  // namespace bermuda::app
