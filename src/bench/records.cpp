#include "bermuda/bench/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMark = "bermuda_results";
constexpr int kExportVersion = 1;

/// One digit per graph for what was said and for the truth; places only where they are not simply
/// 0, 1, 2 and so on. Of more than ten classes: triples.
Json answers_json(const RunResult& result) {
  std::string said;
  std::string truth;
  std::string places;
  bool in_order = true;
  for (const Answer& answer : result.answers) {
    if (answer.said > 9 || answer.truth > 9) return to_json(result).at("answers");
    in_order = in_order && answer.place == static_cast<int>(said.size());
    said += static_cast<char>('0' + answer.said);
    truth += static_cast<char>('0' + answer.truth);
    places += fmt::format("{}{}", places.empty() ? "" : " ", answer.place);
  }
  Json json = {{"said", said}, {"truth", truth}};
  if (!in_order) json["places"] = places;
  return json;
}

/// As run_result_of() wants them.
Json answer_triples(const Json& json) {
  if (!json.is_object()) return json;
  const auto said = json.at("said").get<std::string>();
  const auto truth = json.at("truth").get<std::string>();
  const auto told = json.value("places", "");
  std::vector<int> places;
  for (const std::string_view place : split_fields(told, ' ')) {
    places.push_back(parse_number<int>(place).value_or(-1));
  }
  Json triples = Json::array();
  for (std::size_t i = 0; i < std::min(said.size(), truth.size()); ++i) {
    const Json place = told.empty() ? Json(i) : Json(i < places.size() ? places[i] : -1);
    triples.push_back({place, said[i] - '0', truth[i] - '0'});
  }
  return triples;
}

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
  result["answers"] = answers_json(run.result);
  json["result"] = std::move(result);
  json["timing"] = timing;
  return json;
}

RunRecord run_of(const Json& json) {
  RunRecord run;
  run.key = json.at("key");
  run.spec = run_spec_of(json);
  run.error = json.value("error", "");
  run.state = state_named(json.at("state").get<std::string>());
  if (run.state != RunState::kDone) return run;
  Json result = json.at("result");
  const Json& timing = json.at("timing");
  for (const char* name : {"seconds", "cpu_seconds", "host"}) result[name] = timing.at(name);
  result["answers"] = answer_triples(result.at("answers"));
  run.result = run_result_of(result);
  run.finished = timing.at("finished");
  return run;
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
    records.runs.emplace(id, std::move(run));
  }
  for (GridRecord& grid : store.grids()) {
    auto entries = store.entries(grid.id);
    records.grids.push_back({std::move(grid), std::move(entries)});
  }
  return records;
}

Json export_json(const Records& records) {
  Json grids = Json::array();
  for (const auto& [grid, entries] : records.grids) {
    Json places = Json::array();
    for (const GridEntry& entry : entries) {
      places.push_back({entry.row, entry.data, entry.fold, records.run(entry).key});
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
      "grid,row,data,fold,seed,state,accuracy,macro_f1,positive_f1,validation_accuracy,epochs,"
      "best_epoch,test_graphs,seconds,cpu_seconds,host,program_version,finished,error,key\n";
  for (const auto& [grid, entries] : records.grids) {
    for (const GridEntry& entry : entries) {
      const RunRecord& run = records.run(entry);
      const RunResult& result = run.result;
      text += fmt::format("{},{},{},{},{},{},", csv_field(grid.name), csv_field(entry.row),
                          csv_field(entry.data), entry.fold, run.spec.seed, state_name(run.state));
      if (run.state == RunState::kDone) {
        text += fmt::format(
            "{},{},{},{},{},{},{},{:.3f},{:.3f},{},{},{},", result.test.accuracy,
            result.test.macro_f1, result.test.positive_f1, result.validation_accuracy,
            result.epochs, result.best_epoch, result.test.count, result.seconds, result.cpu_seconds,
            csv_field(result.host), csv_field(result.program_version), csv_field(run.finished));
      } else {
        text += std::string(12, ',');
      }
      text += fmt::format("{},{}\n", csv_field(run.error), run.key);
    }
  }
  return text;
}

Records parse_export(std::string_view text, const std::string& file) {
  const Json json = parse_json_object(text, file, 1);
  try {
    if (json.value(kMark, 0) != kExportVersion) {
      throw InputError(file, 0, "something else", "what bermuda bench --export json writes");
    }
    Records records;
    std::map<std::string, std::int64_t> by_key;
    for (const Json& entry : json.at("runs")) {
      RunRecord run = run_of(entry);
      run.id = static_cast<std::int64_t>(by_key.size()) + 1;
      by_key.emplace(run.key, run.id);
      records.runs.emplace(run.id, std::move(run));
    }
    for (const Json& entry : json.at("grids")) {
      auto& [grid, entries] = records.grids.emplace_back();
      grid.id = static_cast<std::int64_t>(records.grids.size());
      grid.name = entry.at("name");
      grid.title = entry.at("title");
      grid.metric = metric_of_key(entry.at("metric").get<std::string>());
      grid.paper = entry.at("paper");
      for (const auto& [data, rows] : entry.at("published").items()) {
        grid.published[data] = rows.get<std::map<std::string, double>>();
      }
      grid.config = entry.at("config");
      grid.command = entry.at("command");
      for (const Json& place : entry.at("entries")) {
        entries.push_back(
            {place.at(0), place.at(1), place.at(2), by_key.at(place.at(3).get<std::string>())});
      }
    }
    return records;
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("something else ({})", error.what()),
                     "what bermuda bench --export json writes");
  } catch (const std::out_of_range&) {
    throw InputError(file, 0, "a place without its run", "the runs of all places");
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
