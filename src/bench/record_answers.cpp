#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/method/answers_table.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/process.hpp"

namespace bermuda {
namespace {

constexpr double kMostSeconds = 1e9;

/// The run that waits for these answers; a UsageError tells what there is instead. Several grids of
/// a store may have the row: where they want different runs, the user must say which grid is meant.
RunRecord wanted_run(const Store& store, const DataSet& data, const RecordedPlace& place) {
  const std::string checksum = data_checksum(data);
  const std::vector<RunRecord> runs = store.runs();
  std::set<std::string> rows;
  bool row_known = false;
  std::map<std::int64_t, RunRecord> found;
  for (const GridRecord& grid : store.grids()) {
    if (!place.grid.empty() && grid.name != place.grid) continue;
    for (const GridEntry& entry : store.entries(grid.id)) {
      const auto run = std::ranges::find(runs, entry.run, &RunRecord::id);
      if (run == runs.end() || run->spec.method != kRecordedMethod) continue;
      if (run->spec.data_checksum != checksum) continue;
      rows.insert(entry.row);
      if (entry.row != place.row) continue;
      row_known = true;
      if (entry.fold == place.fold && entry.seed == place.seed) found.emplace(run->id, *run);
    }
  }
  const std::string store_name = store.file().string();
  if (!row_known) {
    throw UsageError(fmt::format(
        "{}: no row {} to be recorded on the data {}{}", store_name, in_quotes(place.row),
        data.name, did_you_mean_or_all(place.row, std::vector(rows.begin(), rows.end()))));
  }
  if (found.empty()) {
    throw UsageError(fmt::format("{}: {} has no fold {} with seed {}", store_name, place.row,
                                 place.fold, place.seed));
  }
  if (found.size() > 1) {
    throw UsageError(
        fmt::format("{}: several grids have {}, fold {}, with other folds each; --grid says which",
                    store_name, place.row, place.fold));
  }
  return found.begin()->second;
}

/// What was said of all that the run asks, in its order.
std::vector<AskedResult> asked_results(const RunSpec& spec, std::span<const AskedAnswers> asked,
                                       Samples test, std::span<const int> said,
                                       const std::vector<std::string>& class_names) {
  std::vector<std::string> names;
  for (const Ask& ask : spec.asks) names.push_back(ask.name);
  for (const AskedAnswers& one : asked) {
    if (std::ranges::find(names, one.name) != names.end()) continue;
    throw UsageError(fmt::format("{} is not asked{}", in_quotes(one.name),
                                 did_you_mean_or_all(one.name, names)));
  }
  std::vector<AskedResult> results;
  for (const Ask& ask : spec.asks) {
    std::vector<const Sample*> graphs;
    std::vector<Prediction> answers;
    std::size_t tables = 0;
    for (const AskedAnswers& one : asked) {
      if (one.name != ask.name) continue;
      ++tables;
      if (ask.rounds == 0 && data_checksum(*one.data) != ask.checksum) {
        throw UsageError(fmt::format("{}: other graphs than those asked", ask.name));
      }
      const std::vector<const Sample*> own =
          ask.rounds > 0 ? std::vector(test.begin(), test.end()) : one.data->all();
      const std::vector<Prediction> table =
          parse_answers_table(one.answers.text, one.answers.file, own, own, class_names);
      graphs.insert(graphs.end(), own.begin(), own.end());
      answers.insert(answers.end(), table.begin(), table.end());
    }
    const auto wanted = static_cast<std::size_t>(std::max(ask.rounds, 1));
    if (tables != wanted) {
      throw UsageError(fmt::format("{}: {} tables of answers, expected {}{}", ask.name, tables,
                                   wanted, ask.rounds > 0 ? ", one per round" : ""));
    }
    results.push_back(
        asked_result(ask, graphs, answers, said, static_cast<int>(class_names.size())));
  }
  return results;
}

}  // namespace

RunRecord record_answers(Store& store, const DataSet& data, const RecordedPlace& place,
                         const AnswersFile& answers, std::span<const AskedAnswers> asked,
                         double seconds, const Execution& execution) {
  if (!(seconds >= 0 && seconds <= kMostSeconds)) {
    throw UsageError(fmt::format("{} seconds, expected 0 or more", seconds));
  }
  RunRecord run = wanted_run(store, data, place);
  if (run.state == RunState::kDone) {
    throw UsageError(fmt::format("{}: {}, fold {}, is recorded already", store.file().string(),
                                 place.row, place.fold));
  }
  const FoldParts parts = fold_parts(data, place.fold, run.spec.folding, execution);
  const int classes = static_cast<int>(data.class_names.size());
  const std::vector<Prediction> said =
      parse_answers_table(answers.text, answers.file, parts.test, data.all(), data.class_names);
  RunResult& result = run.result;
  result = {};
  result.test = measure(parts.test, said, classes);
  result.answers = placed_answers(data, parts.test, said);
  if (!asked.empty()) {
    std::vector<int> labels;
    for (const Prediction& prediction : said) labels.push_back(prediction.label);
    result.asked = asked_results(run.spec, asked, parts.test, labels, data.class_names);
  }
  result.train_graphs = parts.train.size();
  result.validation_graphs = parts.validation.size();
  result.chosen = {{"recorded", true}};
  result.seconds = seconds;
  result.host = host_name();
  result.program_version = kVersion;
  store.together(true, [&] {
    if (!store.claim(run.key, "record")) {
      throw UsageError(fmt::format("{}: {} is being done by another process", store.file().string(),
                                   run.spec.text()));
    }
    store.finish(run.key, result);
  });
  run.state = RunState::kDone;
  return run;
}

}  // namespace bermuda
