#include "bermuda/bench/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/method/epoch_columns.hpp"
#include "check_records.hpp"

namespace bermuda {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A column for what models were asked beside the test graphs.
struct AskedField {
  std::string name;
  std::string figure;  // accuracy, both_right or changed: a share
  bool operator==(const AskedField&) const = default;
};

std::vector<AskedField> asked_fields(const Records& records) {
  std::vector<AskedField> fields;
  const auto add = [&](const AskedField& field) {
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  };
  for (const auto& [id, run] : records.runs) {
    for (const AskedResult& asked : run.result.asked) {
      add({asked.name, "accuracy"});
      if (asked.both_right) add({asked.name, "both_right"});
      if (asked.changed) add({asked.name, "changed"});
    }
  }
  return fields;
}

/// Empty where it was not asked.
std::string asked_text(const AskedField& field, const RunResult& result) {
  const auto asked = std::ranges::find(result.asked, field.name, &AskedResult::name);
  if (asked == result.asked.end()) return {};
  const auto share = [](const std::optional<std::size_t>& count, std::size_t total) {
    if (!count || total == 0) return std::string();
    return fmt::format("{}", static_cast<double>(*count) / static_cast<double>(total));
  };
  const std::size_t count = asked->metrics.count;
  if (field.figure == "both_right") return share(asked->both_right, count / 2);
  if (field.figure == "changed") return share(asked->changed, count);
  return fmt::format("{}", asked->metrics.accuracy);
}

TwinPlaces twin_places(const std::vector<Sample>& graphs, const Execution& execution) {
  std::vector<const Sample*> samples;
  for (const Sample& graph : graphs) samples.push_back(&graph);
  std::map<std::size_t, std::vector<int>> groups;
  const std::vector<std::size_t> group_of = twin_groups(samples, execution);
  for (std::size_t place = 0; place < group_of.size(); ++place) {
    groups[group_of[place]].push_back(static_cast<int>(place));
  }
  TwinPlaces twins;
  for (auto& [group, places] : groups) {
    if (places.size() > 1) twins.push_back(std::move(places));
  }
  return twins;
}

}  // namespace

void check_records(const Records& records, const std::string& file) {
  for (const auto& [id, run] : records.runs) {
    if (run.state != RunState::kDone) continue;
    std::string flaw = flaw_of(run.result);
    // Whoever records answers may have those of the test graphs alone.
    const bool test_only = run.spec.method == kRecordedMethod && run.result.asked.empty();
    if (flaw.empty() && !test_only) {
      flaw = flaw_of_asked(run.spec.asks, run.result.asked, run.result.test.count);
    }
    if (!flaw.empty()) {
      throw InputError(file, 0, fmt::format("{} in {}", flaw, in_quotes(run.spec.text())),
                       "figures that fit each other");
    }
    const std::size_t epochs = run.result.curve.size();
    if (epochs > 0 && epochs != static_cast<std::size_t>(run.result.epochs)) {
      throw InputError(
          file, 0, fmt::format("a curve of {} epochs in {}", epochs, in_quotes(run.spec.text())),
          fmt::format("{} epochs", run.result.epochs));
    }
  }
  for (const auto& [grid, entries] : records.grids) {
    for (const GridEntry& entry : entries) {
      const auto run = records.runs.find(entry.run);
      if (run == records.runs.end()) {
        throw InputError(file, 0, "a place without its run", "the runs of all places");
      }
      if (run->second.spec.fold != entry.fold) {
        throw InputError(
            file, 0,
            fmt::format("fold {} in the place of fold {}", run->second.spec.fold, entry.fold),
            "one");
      }
      if (run->second.spec.seed != entry.seed) {
        throw InputError(
            file, 0,
            fmt::format("seed {} in the place of seed {}", run->second.spec.seed, entry.seed),
            "one");
      }
    }
  }
}

Records read_records(const Store& store, const WantedRecords& wanted) {
  Records records;
  for (RunRecord& run : store.runs()) {
    const std::int64_t id = run.id;
    if (run.state == RunState::kDone) run.result.answers = store.answers(id);
    if (run.state == RunState::kDone) run.result.asked = store.asked(id);
    if (run.result.last) run.result.last->answers = store.answers(id, WhichEpoch::kLast);
    if (wanted.curves && run.state == RunState::kDone) run.result.curve = store.curve(id);
    records.runs.emplace(id, std::move(run));
  }
  for (GridRecord& grid : store.grids()) {
    auto entries = store.entries(grid.id);
    records.grids.push_back({std::move(grid), std::move(entries)});
  }
  if (wanted.twins) {
    const Execution silent = {wanted.twins->threads, nullptr, wanted.twins->stop};
    for (const DataRecord& data : store.data_sets()) {
      records.twins.emplace(data.checksum, twin_places(store.graphs(data.id), silent));
    }
  }
  check_records(records, store.file().string());
  return records;
}

std::string export_csv(const Records& records) {
  const std::vector<AskedField> asked = asked_fields(records);
  std::string text =
      "grid,row,data,fold,seed,taken_from,state,accuracy,macro_f1,positive_f1,validation_accuracy,"
      "epochs,"
      "best_epoch,last_accuracy,last_macro_f1,last_positive_f1,test_graphs,seconds,cpu_seconds,"
      "host,program_version,finished,error,key";
  for (const AskedField& field : asked) {
    text += "," + csv_field(fmt::format("{} {}", field.name, field.figure));
  }
  text += "\n";
  for (const auto& [grid, entries] : records.grids) {
    for (const GridEntry& entry : entries) {
      const RunRecord& run = records.run(entry);
      const RunResult& result = run.result;
      text += fmt::format("{},{},{},{},{},{},{},", csv_field(grid.name), csv_field(entry.row),
                          csv_field(entry.data), entry.fold, entry.seed,
                          csv_field(entry.taken_from), state_name(run.state));
      if (run.state == RunState::kDone) {
        const Metrics* last = metrics_at(result, WhichEpoch::kLast);
        text += fmt::format("{},{},{},{},{},{},", result.test.accuracy, result.test.macro_f1,
                            result.test.positive_f1, result.validation_accuracy, result.epochs,
                            result.best_epoch);
        text += last == nullptr
                    ? ",,,"
                    : fmt::format("{},{},{},", last->accuracy, last->macro_f1, last->positive_f1);
        text += fmt::format("{},{:.3f},{:.3f},{},{},{},", result.test.count, result.seconds,
                            result.cpu_seconds, csv_field(result.host),
                            csv_field(result.program_version), csv_field(run.finished));
      } else {
        text += std::string(15, ',');
      }
      text += fmt::format("{},{}", csv_field(run.error), run.key);
      for (const AskedField& field : asked) text += "," + asked_text(field, result);
      text += "\n";
    }
  }
  return text;
}

std::string export_curves(const Records& records) {
  std::string text = "grid,row,data,fold,seed,epoch";
  for (const EpochColumn& column : kEpochColumns) text += fmt::format(",{}", column.name);
  text += ",kept,key\n";
  for (const auto& [grid, entries] : records.grids) {
    for (const GridEntry& entry : entries) {
      const RunRecord& run = records.run(entry);
      if (!entry.taken_from.empty()) continue;  // stands in the other column
      for (const EpochRecord& epoch : run.result.curve) {
        text += fmt::format("{},{},{},{},{},{}", csv_field(grid.name), csv_field(entry.row),
                            csv_field(entry.data), entry.fold, entry.seed, epoch.epoch);
        for (const EpochColumn& column : kEpochColumns) {
          text += fmt::format(",{}", epoch.*column.field);
        }
        text += fmt::format(",{},{}\n", epoch.epoch == run.result.best_epoch ? 1 : 0, run.key);
      }
    }
  }
  return text;
}

Records read_records_file(const std::filesystem::path& path, const WantedRecords& wanted) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw UsageError(fmt::format("{}: there is no such store", path.string()));
  }
  check_regular_file(path);
  std::string start(1, ' ');
  std::ifstream(path).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.starts_with('{')) return parse_export(read_file(path), path.string());
  return read_records(Store(path, Store::Mode::kRead), wanted);
}

}  // namespace bermuda
