#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/method.hpp"
#include "bermuda/run/asked.hpp"

namespace bermuda {

/// What was said of one test graph.
struct Answer {
  int place = 0;  ///< of the graph in tested_samples()
  int said = 0;   ///< the class it was given
  int truth = 0;  ///< the class it has
};

/// Which of a run's epochs counts: the one that validation kept, or the last.
enum class WhichEpoch { kKept, kLast };

/// What a run would have found had it kept its last epoch.
struct LastEpoch {
  Metrics test;
  std::vector<Answer> answers;  ///< one per test graph
};

/// What a run found. Two runs of the same key differ only in what is below the line.
struct RunResult {
  int epochs = 1;
  int best_epoch = 1;
  double validation_accuracy = 0;
  Metrics test;
  std::size_t train_graphs = 0;
  std::size_t validation_graphs = 0;
  nlohmann::ordered_json chosen = nlohmann::ordered_json::object();
  std::vector<EpochRecord> curve;
  std::vector<Answer> answers;     ///< one per test graph
  std::optional<LastEpoch> last;   ///< absent where the kept epoch is the last, or the only one
  std::vector<AskedResult> asked;  ///< one for each of RunSpec::asks
  // ---
  double seconds = 0;
  double cpu_seconds = 0;
  std::string host;
  std::string program_version;
};

/// What the test found at that epoch; null where it is not known: a result of earlier versions has
/// no last epoch but that of a run which kept it.
const Metrics* metrics_at(const RunResult& result, WhichEpoch epoch);
/// The answers behind these figures.
const std::vector<Answer>& answers_at(const RunResult& result, WhichEpoch epoch);

/// The graphs that some fold tests on: the split "test" where there is one beside "train", else
/// all.
std::vector<const Sample*> tested_samples(const DataSet& data);

/// What is impossible about the figures of a result that somebody else may have written: one out of
/// range ("7 as accuracy"), or some that do not fit each other. Empty for none.
std::string flaw_of(const RunResult& result);

nlohmann::ordered_json to_json(const RunResult& result);
/// Answers, curve, host, processor time and the last epoch may be missing: not every file keeps
/// them. Throws JSON's exceptions and JsonError; whether figures fit each other is not looked at.
RunResult run_result_of(const nlohmann::ordered_json& json);

/// Answers in few bytes: a digit per graph for what was said and for the truth, and places only
/// where they are not simply 0, 1, 2 and so on. Of more than ten classes: triples.
nlohmann::ordered_json compact_answers(std::span<const Answer> answers);
/// Of either form. Throws as run_result_of().
std::vector<Answer> answers_of(const nlohmann::ordered_json& json);

/// [true class][predicted class]. Throws JsonError.
std::vector<std::vector<std::size_t>> confusion_of(const nlohmann::ordered_json& json);

/// The curve as a table: names of the columns, then one line per epoch, with tabs between.
std::string epochs_table(std::span<const EpochRecord> epochs);
/// Reads it again, to the digits that it has. Throws InputError; `file` is for the message only.
std::vector<EpochRecord> parse_epochs_table(std::string_view text, const std::string& file);

}  // namespace bermuda
