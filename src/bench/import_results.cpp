#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_map>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"
#include "import_checks.hpp"
#include "owner_lock.hpp"

namespace bermuda {
namespace {

constexpr double kRoundedOff = 1e-6;
constexpr double kDigitsOfCurves = 1e-5;

/// The graphs of runs, which those of one fold have in common.
class PlannedParts {
 public:
  explicit PlannedParts(const Plan& plan) : plan_(plan) {}

  const FoldParts& of(const RunSpec& spec) {
    nlohmann::ordered_json graphs = to_json(spec);  // all that they may depend on
    for (const char* other : {"method", "options", "seed"}) graphs.erase(other);
    const auto [place, is_new] = known_.try_emplace(graphs.dump());
    if (is_new) place->second = planned_parts(plan_, spec);
    return place->second;
  }

 private:
  const Plan& plan_;
  std::unordered_map<std::string, FoldParts> known_;
};

/// What is wrong with answers that should be of these graphs, and with figures that should be of
/// the answers. Empty for nothing.
std::string flaw_of_test(const Metrics& test, const std::vector<Answer>& answers,
                         const DataSet& data, const FoldParts& parts) {
  const std::size_t classes = data.class_names.size();
  std::unordered_map<const Sample*, int> place;
  for (const Sample* sample : tested_samples(data)) {
    place.emplace(sample, static_cast<int>(place.size()));
  }
  std::unordered_map<int, const Answer*> answer_for;
  for (const Answer& answer : answers) answer_for.emplace(answer.place, &answer);
  if (answers.size() != parts.test.size() || test.confusion.size() != classes) {
    return fmt::format("{} answers of {} classes for {} graphs of {}", answers.size(),
                       test.confusion.size(), parts.test.size(), classes);
  }
  std::vector<Prediction> predictions;
  for (const Sample* sample : parts.test) {
    const auto answer = answer_for.find(place.at(sample));
    if (answer == answer_for.end()) return "answers for other graphs";
    if (answer->second->truth != sample->label) return "answers for graphs of other classes";
    predictions.push_back({answer->second->said, std::vector<double>(classes, 0.0)});
  }
  const Metrics again = measure(parts.test, predictions, static_cast<int>(classes));
  if (std::abs(again.macro_f1 - test.macro_f1) > kRoundedOff ||
      std::abs(again.positive_f1 - test.positive_f1) > kRoundedOff) {
    return fmt::format("F1 of {} and {}, where its answers have {} and {}", test.macro_f1,
                       test.positive_f1, again.macro_f1, again.positive_f1);
  }
  return {};
}

/// What is wrong with the figures of what was asked beside: they must be of as many graphs of each
/// class. Empty for nothing.
std::string flaw_of_asked_graphs(const RunResult& result, const PreparedData& data) {
  for (const AskedResult& asked : result.asked) {
    const auto prepared = std::ranges::find(data.asks, asked.name,
                                            [](const PreparedAsk& one) { return one.ask.name; });
    if (prepared == data.asks.end()) return fmt::format("{} asked", in_quotes(asked.name));
    if (prepared->ask.rounds > 0) continue;  // the test graphs again: their number was checked
    std::vector<std::size_t> counts(asked.metrics.confusion.size(), 0);
    for (const Sample* sample : prepared->data.all()) {
      ++counts.at(static_cast<std::size_t>(sample->label));
    }
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const auto& row = asked.metrics.confusion[c];
      if (std::accumulate(row.begin(), row.end(), std::size_t{0}) == counts[c]) continue;
      return fmt::format("other graphs as {}", in_quotes(asked.name));
    }
  }
  return {};
}

/// What is wrong with the epoch that counts: its curve must have the validation accuracy that is
/// told, and no epoch a higher one where accuracy was to choose. Empty for nothing.
std::string flaw_of_choice(const RunRecord& run) {
  const RunResult& result = run.result;
  const auto kept = std::ranges::find(result.curve, result.best_epoch, &EpochRecord::epoch);
  if (kept == result.curve.end()) return {};
  if (std::abs(kept->validation_accuracy - result.validation_accuracy) > kDigitsOfCurves) {
    return fmt::format("validation accuracy {} of epoch {}, where its curve has {}",
                       result.validation_accuracy, result.best_epoch, kept->validation_accuracy);
  }
  const auto keep = run.spec.options.find("keep");  // a plug-in may call anything so
  if (keep == run.spec.options.end() || *keep != "accuracy") return {};
  const auto highest =
      std::ranges::max_element(result.curve, {}, &EpochRecord::validation_accuracy);
  if (highest->validation_accuracy <= kept->validation_accuracy + kDigitsOfCurves) return {};
  return fmt::format("epoch {} kept, where epoch {} does better on validation graphs",
                     result.best_epoch, highest->epoch);
}

void check_result(const RunRecord& run, const Plan& plan, PlannedParts& parts,
                  const std::string& file) {
  const FoldParts& own = parts.of(run.spec);
  const DataSet& data = plan.data.at(run.spec.data).data;
  check_graph_counts(run.result, own, file);
  std::string flaw = flaw_of_test(run.result.test, run.result.answers, data, own);
  if (flaw.empty() && run.result.last) {
    flaw = flaw_of_test(run.result.last->test, run.result.last->answers, data, own);
  }
  if (flaw.empty()) flaw = flaw_of_asked_graphs(run.result, plan.data.at(run.spec.data));
  if (flaw.empty()) flaw = flaw_of_choice(run);
  if (flaw.empty()) return;
  throw InputError(file, 0, fmt::format("{} in {}", flaw, in_quotes(run.spec.text())),
                   "results on the graphs that this grid has");
}

/// Why a run is none of the plan's.
std::string reason_of(const Plan& plan, const RunRecord& run) {
  if (run.key != run.spec.key()) return "another version of the program";
  bool other_data = false;
  for (const PlannedRun& planned : plan.runs) {
    const RunSpec& spec = planned.spec;
    if (spec.method != run.spec.method || spec.fold != run.spec.fold ||
        spec.seed != run.spec.seed) {
      continue;
    }
    if (spec.data_checksum == run.spec.data_checksum) {
      return spec.asks == run.spec.asks ? "other options" : "other things to ask";
    }
    other_data = true;
  }
  return other_data ? "other data" : "other methods, folds or seeds";
}

}  // namespace

ImportOutcome import_results(Store& store, const Plan& plan, const Records& records,
                             const std::string& file, const std::filesystem::path& work) {
  std::unordered_map<std::string, const PlannedRun*> planned;
  for (const PlannedRun& run : plan.runs) planned.emplace(run.spec.key(), &run);
  release_dead(store, work / "owners");
  std::unordered_map<std::string, RunState> states;
  for (const RunRecord& run : store.runs()) states.emplace(run.key, run.state);
  ImportOutcome outcome;
  PlannedParts parts(plan);
  store.together(true, [&] {
    for (const auto& [id, run] : records.runs) {
      if (run.state != RunState::kDone) {
        ++outcome.unfinished;
        continue;
      }
      const auto found = planned.find(run.key);
      if (found == planned.end()) {
        outcome.others[reason_of(plan, run)].push_back(run.spec.text());
        continue;
      }
      if (run.spec.key() != run.key) {
        throw InputError(file, 0,
                         fmt::format("the key of another run for {}", in_quotes(run.spec.text())),
                         "the SHA-256 of what it depends on");
      }
      if (states.at(run.key) == RunState::kDone) {
        ++outcome.known;
        continue;
      }
      RunRecord named = run;
      named.spec = found->second->spec;  // the same, but for what the data are called
      check_result(named, plan, parts, file);
      if (!store.claim(run.key, kImporter)) {
        ++outcome.elsewhere;
        continue;
      }
      store.finish(run.key, run.result, run.finished);
      ++outcome.taken;
    }
  });
  return outcome;
}

std::string import_text(const ImportOutcome& outcome) {
  std::string text = fmt::format("{} runs taken up", outcome.taken);
  if (outcome.known > 0) text += fmt::format(", {} were done already", outcome.known);
  if (outcome.elsewhere > 0) text += fmt::format(", {} are being done", outcome.elsewhere);
  if (outcome.unfinished > 0) text += fmt::format(", {} are not finished", outcome.unfinished);
  constexpr std::size_t kNamed = 3;
  for (const auto& [reason, runs] : outcome.others) {
    const auto some = std::span(runs).first(std::min(runs.size(), kNamed));
    text += fmt::format("; {} are of {} ({}{})", runs.size(), reason, fmt::join(some, "; "),
                        runs.size() > kNamed ? "; ..." : "");
  }
  return text;
}

}  // namespace bermuda
