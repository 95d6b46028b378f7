#include <fmt/format.h>

#include <algorithm>
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

/// The run of the row on this data; a UsageError tells what there is instead.
RunRecord wanted_run(const Store& store, const std::string& checksum, const DataSet& data,
                     const RecordedPlace& place) {
  std::set<std::string> rows;
  std::set<std::pair<int, std::uint64_t>> known;  // folds and seeds of the row
  const std::vector<RunRecord> runs = store.runs();
  for (const GridRecord& grid : store.grids()) {
    for (const GridEntry& entry : store.entries(grid.id)) {
      const auto run = std::ranges::find(runs, entry.run, &RunRecord::id);
      if (run == runs.end() || run->spec.method != kRecordedMethod) continue;
      if (run->spec.data_checksum != checksum) continue;
      rows.insert(entry.row);
      if (entry.row != place.row) continue;
      known.emplace(entry.fold, entry.seed);
      if (entry.fold == place.fold && entry.seed == place.seed) return *run;
    }
  }
  const std::string store_name = store.file().string();
  if (known.empty()) {
    throw UsageError(fmt::format(
        "{}: no row {} to be recorded on the data {}{}", store_name, in_quotes(place.row),
        data.name, did_you_mean_or_all(place.row, std::vector(rows.begin(), rows.end()))));
  }
  throw UsageError(fmt::format("{}: {} has no fold {} with seed {}", store_name, place.row,
                               place.fold, place.seed));
}

}  // namespace

RunRecord record_answers(Store& store, const DataSet& data, const RecordedPlace& place,
                         std::string_view answers, const std::string& file, double seconds,
                         const Execution& execution) {
  RunRecord run = wanted_run(store, data_checksum(data), data, place);
  if (run.state == RunState::kDone) {
    throw UsageError(fmt::format("{}: {}, fold {}, is recorded already", store.file().string(),
                                 place.row, place.fold));
  }
  const FoldParts parts = fold_parts(data, place.fold, run.spec.folding, execution);
  const int classes = static_cast<int>(data.class_names.size());
  const std::vector<Prediction> said =
      parse_answers_table(answers, file, parts.test, data.all(), data.class_names);
  RunResult& result = run.result;
  result = {};
  result.test = measure(parts.test, said, classes);
  result.answers = placed_answers(data, parts.test, said);
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
