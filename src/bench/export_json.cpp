#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "bermuda/bench/records.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/evaluation.hpp"
#include "check_records.hpp"
#include "packed.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMark = "bermuda_results";
constexpr const char* kDetails = "details";
constexpr std::int64_t kMostVersions = 1000;
/// 1: places without their seed, answers that are not packed, no curves. 2: no twins.
constexpr int kExportVersion = 3;
constexpr std::int64_t kMostPlaces = std::numeric_limits<int>::max();
constexpr std::size_t kMostUnpacked = std::size_t{1} << 28;

/// Throws JsonError when `given` has anything that `known`, what was read of it, has not.
void check_all_read(const Json& given, const Json& known) {
  const nlohmann::json sorted = given;
  const nlohmann::json changes = nlohmann::json::diff(nlohmann::json(known), sorted);
  if (changes.empty()) return;
  throw JsonError(
      fmt::format("{}, which is not read", in_quotes(changes[0].at("path").get<std::string>())));
}

/// What is long about a run: answers and curve.
std::string details_text(const RunResult& result) {
  Json details = {{"answers", compact_answers(result.answers)}};
  if (result.last) details["last_answers"] = compact_answers(result.last->answers);
  if (!result.curve.empty()) details["epochs"] = epochs_table(result.curve);
  return details.dump();
}

void read_details(const std::string& text, const std::string& file, RunResult& result) {
  const Json details = parse_json_object(text, file, 0);
  result.answers = answers_of(details.at("answers"));
  if (result.last) result.last->answers = answers_of(details.at("last_answers"));
  const auto epochs = details.find("epochs");
  if (epochs != details.end()) {
    const std::string table = string_of(*epochs, "epochs");
    if (!table.starts_with(epochs_table({}))) throw JsonError("other columns of epochs");
    result.curve = parse_epochs_table(table, file);
  }
  check_all_read(details, Json::parse(details_text(result)));
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
  for (const char* other : {"answers", "curve", "seconds", "cpu_seconds", "host"}) {
    result.erase(other);
  }
  if (run.result.last) result.at("last").erase("answers");
  json["result"] = std::move(result);
  json["timing"] = timing;
  return json;
}

const Json& array_of(const Json& json, std::string_view what) {
  if (!json.is_array()) throw JsonError(fmt::format("{} that are no list", what));
  return json;
}

TwinPlaces twins_of(const Json& json) {
  TwinPlaces twins;
  std::set<std::int64_t> seen;
  for (const Json& group : array_of(json, "twins")) {
    std::vector<int>& places = twins.emplace_back();
    for (const Json& entry : array_of(group, "twins")) {
      const std::int64_t place = whole_number(entry, "a place", 0, kMostPlaces);
      if (!seen.insert(place).second) throw JsonError(fmt::format("graph {} a twin twice", place));
      places.push_back(static_cast<int>(place));
    }
    if (places.size() < 2) throw JsonError("a group of fewer than two twins");
  }
  return twins;
}

/// A reader of one file.
class ExportReader {
 public:
  ExportReader(const std::string& file, std::int64_t version) : file_(file), version_(version) {}

  RunRecord run_of(const Json& json) {
    RunRecord run;
    run.key = string_of(json.at("key"), "a key");
    run.spec = run_spec_of(json);
    run.error = json.value("error", "");
    run.state = state_named(json.at("state").get<std::string>());
    if (run.state == RunState::kDone) read_result(json, run);
    if (version_ == 1) return run;
    Json known = run_json(run);
    if (run.state == RunState::kDone) known[kDetails] = json.at(kDetails);
    check_all_read(json, known);
    return run;
  }

 private:
  void read_result(const Json& json, RunRecord& run) {
    Json result = json.at("result");
    const Json& timing = json.at("timing");
    for (const char* name : {"seconds", "cpu_seconds", "host"}) result[name] = timing.at(name);
    run.result = run_result_of(result);
    run.finished = string_of(timing.at("finished"), "a time");
    if (version_ == 1) return;
    const std::string text = unpack_text(string_of(json.at(kDetails), "details"), left_);
    left_ -= text.size();
    read_details(text, fmt::format("{}: {} of {}", file_, kDetails, run.spec.text()), run.result);
  }

  std::string file_;
  std::int64_t version_;
  std::size_t left_ = kMostUnpacked;  // bytes that may still be unpacked
};

}  // namespace

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
  for (const RunRecord* run : sorted) {
    Json& json = runs.emplace_back(run_json(*run));
    if (run->state == RunState::kDone) json[kDetails] = pack_text(details_text(run->result));
  }
  Json twins = Json::object();
  for (const auto& [checksum, places] : records.twins) twins[checksum] = places;
  return {{kMark, kExportVersion}, {"grids", grids}, {"twins", twins}, {"runs", runs}};
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
    ExportReader reader(file, number);
    std::map<std::string, std::int64_t> by_key;
    for (const Json& entry : json.at("runs")) {
      RunRecord run = reader.run_of(object_of(entry, "a run"));
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
    if (number > 2) {
      for (const auto& [checksum, places] : object_of(json.at("twins"), "twins").items()) {
        records.twins.emplace(checksum, twins_of(places));
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

}  // namespace bermuda
