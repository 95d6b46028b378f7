#include "bermuda/run/execute.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/run/process.hpp"

namespace bermuda {

RunResult execute(const RunSpec& spec, const DataSet& data, Method& method, RunJournal& journal,
                  const Execution& execution, const std::string& initial, const AskedData& asked) {
  const FoldParts parts = fold_parts(data, spec.fold, spec.folding, execution);
  const int classes = static_cast<int>(data.class_names.size());
  const QuestionSheet questions(spec.asks, parts.test, asked, data.class_names, spec.seed,
                                execution);
  RunResult result;
  try {
    FitReport report =
        method.fit({parts.train, parts.validation, classes, fit_seed(spec.seed, spec.fold),
                    &journal, initial, spec.fold, data.class_names, questions.all()},
                   execution);
    result.epochs = report.epochs;
    result.best_epoch = report.best_epoch;
    result.validation_accuracy = report.validation_accuracy;
    result.chosen = std::move(report.details);
    result.curve = std::move(report.curve);
    result.seconds = journal.seconds();
    result.cpu_seconds = journal.cpu_seconds();
    test_method(method, data, parts, execution, result);
    ask_method(spec, method, questions, execution, result);
  } catch (const BytesError& error) {
    // A checkpoint that is whole, but not one that this method wrote for these graphs.
    throw InputError(journal.file(), 0, error.what(), "a checkpoint that this run can go on from");
  } catch (const IoError&) {
    throw;  // the disk will not take the checkpoint either
  } catch (...) {
    journal.flush();
    throw;
  }
  result.train_graphs = parts.train.size();
  result.validation_graphs = parts.validation.size();
  result.host = host_name();
  result.program_version = kVersion;
  const std::string flaw = std::isnan(result.validation_accuracy)
                               ? "a validation accuracy that is no number"
                               : flaw_of(result);
  if (!flaw.empty()) throw Error(fmt::format("{} told {}", spec.method, flaw));
  return result;
}

std::vector<Answer> placed_answers(const DataSet& data, Samples test,
                                   std::span<const Prediction> said) {
  std::unordered_map<const Sample*, int> place;
  for (const Sample* sample : tested_samples(data)) {
    place.emplace(sample, static_cast<int>(place.size()));
  }
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < test.size(); ++i) {
    answers.push_back({place.at(test[i]), said[i].label, test[i]->label});
  }
  return answers;
}

void ask_method(const RunSpec& spec, const Method& method, const QuestionSheet& questions,
                const Execution& execution, RunResult& result) {
  std::vector<int> said;
  for (const Answer& answer : result.answers) said.push_back(answer.said);
  result.asked = questions.ask(method, said, execution);
  const std::string flaw = flaw_of_asked(spec.asks, result.asked, result.test.count);
  if (!flaw.empty()) throw Error(fmt::format("{} told {}", spec.method, flaw));
}

void test_method(const Method& method, const DataSet& data, const FoldParts& parts,
                 const Execution& execution, RunResult& result) {
  const int classes = static_cast<int>(data.class_names.size());
  const std::vector<Prediction> said = method.predict(parts.test, execution);
  result.test = measure(parts.test, said, classes);
  result.answers = placed_answers(data, parts.test, said);
  const std::vector<Prediction> at_end = method.predict_last(parts.test, execution);
  result.last.reset();
  if (!at_end.empty()) {
    result.last =
        LastEpoch{measure(parts.test, at_end, classes), placed_answers(data, parts.test, at_end)};
  }
}

}  // namespace bermuda
