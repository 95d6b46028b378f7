#include "bermuda/bench/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMark = "bermuda_results";
constexpr std::int64_t kMostVersions = 1000;
constexpr int kExportVersion = 2;  // 1: places without their seed

Json run_json(const RunRecord& run) {
  Json json = {{"key", run.key}};
  json.update(to_json(run.spec));
  json["state"] = state_name(run.state);
  if (!run.error.empty()) json["error"] = run.error;
  if (run.state != RunState::kDone) return json;
  Json result = to_json(run.result);
  const Json timing = {{"seconds", result.at("seconds")},
                       {"cpu_seconds", result.at("cpu_seconds")},
                       {"host", result.at("host")},
                       {"finished", run.finished}};
  for (const char* other : {"curve", "seconds", "cpu_seconds", "host"}) result.erase(other);
  result["answers"] = compact_answers(run.result.answers);
  if (run.result.last) result["last"]["answers"] = compact_answers(run.result.last->answers);
  json["result"] = std::move(result);
  json["timing"] = timing;
  return json;
}

RunRecord run_of(const Json& json) {
  RunRecord run;
  run.key = string_of(json.at("key"), "a key");
  run.spec = run_spec_of(json);
  run.error = json.value("error", "");
  run.state = state_named(json.at("state").get<std::string>());
  if (run.state != RunState::kDone) return run;
  Json result = json.at("result");
  const Json& timing = json.at("timing");
  for (const char* name : {"seconds", "cpu_seconds", "host"}) result[name] = timing.at(name);
  run.result = run_result_of(result);
  run.finished = string_of(timing.at("finished"), "a time");
  return run;
}

/// A run, and the places that it fills, must fit each other; they may be somebody else's.
void check_records(const Records& records, const std::string& file) {
  for (const auto& [id, run] : records.runs) {
    if (run.state != RunState::kDone) continue;
    if (const std::string flaw = flaw_of(run.result); !flaw.empty()) {
      throw InputError(file, 0, fmt::format("{} in {}", flaw, in_quotes(run.spec.text())),
                       "figures that fit each other");
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

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Records read_records(const Store& store) {
  Records records;
  for (RunRecord& run : store.runs()) {
    const std::int64_t id = run.id;
    if (run.state == RunState::kDone) run.result.answers = store.answers(id);
    if (run.result.last) run.result.last->answers = store.answers(id, WhichEpoch::kLast);
    records.runs.emplace(id, std::move(run));
  }
  for (GridRecord& grid : store.grids()) {
    auto entries = store.entries(grid.id);
    records.grids.push_back({std::move(grid), std::move(entries)});
  }
  check_records(records, store.file().string());
  return records;
}

Json export_json(const Records& records) {
  Json grids = Json::array();
  for (const auto& [grid, entries] : records.grids) {
    Json places = Json::array();
    for (const GridEntry& entry : entries) {
      Json place = {entry.row, entry.data, entry.fold, entry.seed, records.run(entry).key};
      if (!entry.taken_from.empty()) place.push_back(entry.taken_from);
      places.push_back(std::move(place));
    }
    grids.push_back({{"name", grid.name},
                     {"title", grid.title},
                     {"metric", metric_key(grid.metric)},
                     {"paper", grid.paper},
                     {"published", grid.published},
                     {"config", grid.config},
                     {"command", grid.command},
                     {"entries", places}});
  }
  std::vector<const RunRecord*> sorted;
  for (const auto& [id, run] : records.runs) sorted.push_back(&run);
  std::ranges::sort(sorted, {}, &RunRecord::key);
  Json runs = Json::array();
  for (const RunRecord* run : sorted) runs.push_back(run_json(*run));
  return {{kMark, kExportVersion}, {"grids", grids}, {"runs", runs}};
}

std::string export_csv(const Records& records) {
  std::string text =
      "grid,row,data,fold,seed,taken_from,state,accuracy,macro_f1,positive_f1,validation_accuracy,"
      "epochs,"
      "best_epoch,last_accuracy,last_macro_f1,last_positive_f1,test_graphs,seconds,cpu_seconds,"
      "host,program_version,finished,error,key\n";
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
      text += fmt::format("{},{}\n", csv_field(run.error), run.key);
    }
  }
  return text;
}

Records parse_export(std::string_view text, const std::string& file) {
  const Json json = parse_json_object(text, file, 1);
  try {
    const auto version = json.find(kMark);
    if (version == json.end()) {
      throw InputError(file, 0, "something else", "what bermuda bench --export json writes");
    }
    const std::int64_t number = whole_number(*version, "a version", 1, kMostVersions);
    if (number > kExportVersion) {
      throw InputError(file, 0, fmt::format("results of version {}", number),
                       fmt::format("version {} at most; a newer bermuda wrote it", kExportVersion));
    }
    Records records;
    std::map<std::string, std::int64_t> by_key;
    for (const Json& entry : json.at("runs")) {
      RunRecord run = run_of(object_of(entry, "a run"));
      run.id = static_cast<std::int64_t>(by_key.size()) + 1;
      if (!by_key.emplace(run.key, run.id).second) {
        throw JsonError(fmt::format("the run {} twice", in_quotes(run.key)));
      }
      records.runs.emplace(run.id, std::move(run));
    }
    for (const Json& entry : json.at("grids")) {
      auto& [grid, entries] = records.grids.emplace_back();
      grid.id = static_cast<std::int64_t>(records.grids.size());
      grid.name = string_of(entry.at("name"), "a grid's name");
      grid.title = string_of(entry.at("title"), "a title");
      grid.metric = metric_of_key(string_of(entry.at("metric"), "a metric"));
      grid.paper = string_of(entry.at("paper"), "a paper");
      for (const auto& [data, rows] : object_of(entry.at("published"), "published").items()) {
        for (const auto& [row, figure] : object_of(rows, "figures of a data set").items()) {
          grid.published[data][row] = real_number(figure, "a figure");
        }
      }
      grid.config = string_of(entry.at("config"), "a configuration");
      grid.command = string_of(entry.at("command"), "a command");
      for (const Json& place : entry.at("entries")) {
        const auto run = by_key.find(string_of(place.at(number == 1 ? 3 : 4), "a key"));
        if (run == by_key.end()) throw JsonError("a place without its run");
        GridEntry& made = entries.emplace_back();
        made.row = string_of(place.at(0), "a row");
        made.data = string_of(place.at(1), "a data set");
        made.fold = static_cast<int>(whole_number(place.at(2), "a fold", 0, kEvaluationFolds - 1));
        made.seed = number == 1 ? records.runs.at(run->second).spec.seed : seed_of(place.at(3));
        made.run = run->second;
        if (number > 1 && place.size() > 5) made.taken_from = string_of(place.at(5), "a column");
      }
    }
    check_records(records, file);
    return records;
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("something else ({})", error.what()),
                     "what bermuda bench --export json writes");
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    throw InputError(file, 0, error.what(), "what bermuda bench --export json writes");
  }
}

Records read_records_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw UsageError(fmt::format("{}: there is no such store", path.string()));
  }
  check_regular_file(path);
  std::string start(1, ' ');
  std::ifstream(path).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.starts_with('{')) return parse_export(read_file(path), path.string());
  return read_records(Store(path, Store::Mode::kRead));
}

}  // namespace bermuda
