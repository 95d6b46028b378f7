#include "bermuda/report/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "bermuda/core/version.hpp"
#include "bermuda/method/epoch_columns.hpp"
#include "bermuda/report/table.hpp"
#include "bermuda/report/table_maps.hpp"
#include "collect_parts.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// Four digits are what a curve can show; not a number becomes null.
Json rounded(double value) {
  return std::isfinite(value) ? Json(std::round(value * 1e4) / 1e4) : Json();
}

Json curve_json(const std::vector<EpochRecord>& curve) {
  Json json = {{"epoch", Json::array()}};
  for (const EpochRecord& epoch : curve) json["epoch"].push_back(epoch.epoch);
  for (const EpochColumn& column : kEpochColumns) {
    if (!column.charted) continue;
    Json& figures = json[column.name] = Json::array();
    for (const EpochRecord& epoch : curve) figures.push_back(rounded(epoch.*column.field));
  }
  return json;
}

/// Null where the last epoch is the kept one, or not known.
Json last_json(const RunResult& result) {
  if (!result.last) return {};
  const Metrics& test = result.last->test;
  return {{"accuracy", test.accuracy},
          {"macro_f1", test.macro_f1},
          {"positive_f1", test.positive_f1},
          {"confusion", test.confusion}};
}

Json answers_beside(const RunResult& result) {
  Json all = Json::array();
  for (const AskedResult& asked : result.asked) all.push_back(to_json(asked));
  return all;
}

/// Adds the table of the kept epochs, with that of the last ones inside where they differ, and the
/// comparisons of those that were asked for.
void add_tables(const Records& records, const Records::GridWithEntries& grid, WhichEpoch epoch,
                Json& model) {
  const ResultTable kept = make_table(records, grid, WhichEpoch::kKept);
  Json& json = model["tables"].emplace_back(table_json(kept));
  const bool differ = std::ranges::any_of(grid.entries, [&](const GridEntry& entry) {
    return records.run(entry).result.last.has_value();
  });
  std::optional<ResultTable> last;
  if (differ || epoch == WhichEpoch::kLast) {
    last = make_table(records, grid, WhichEpoch::kLast);
    json["last"] = table_json(*last);
  }
  const ResultTable& shown = epoch == WhichEpoch::kLast ? *last : kept;
  if (!kept.asked.empty() && kept.columns.size() > 1) {
    Json& maps = json["maps"] = Json::array();
    for (const HeatMap& map : table_maps(kept)) {
      maps.push_back({{"title", map.title}, {"svg", heat_map_svg(map)}});
    }
  }
  for (const std::string& line : findings(shown)) model["findings"].push_back(line);
  for (const Comparison& comparison : shown.comparisons) {
    model["comparisons"].push_back(comparison_json(comparison));
  }
}

Json run_json(const NamedRun& named, const Store* store) {
  const RunRecord& run = *named.run;
  Json json = {{"data", named.data},    {"method", named.row},         {"fold", run.spec.fold},
               {"seed", run.spec.seed}, {"options", run.spec.options}, {"error", nullptr}};
  if (!named.taken_from.empty()) json["taken_from"] = named.taken_from;
  if (run.state == RunState::kFailed) {
    json["error"] = run.error;
    return json;
  }
  const RunResult& result = run.result;
  json.update({{"epochs", result.epochs},
               {"best_epoch", result.best_epoch},
               {"accuracy", result.test.accuracy},
               {"macro_f1", result.test.macro_f1},
               {"positive_f1", result.test.positive_f1},
               {"validation_accuracy", result.validation_accuracy},
               {"seconds", result.seconds},
               {"cpu_seconds", result.cpu_seconds},
               {"host", result.host},
               {"program_version", result.program_version},
               {"confusion", result.test.confusion},
               {"last", last_json(result)},
               {"asked", answers_beside(result)},
               {"chosen", result.chosen}});
  const std::vector<EpochRecord> curve = store == nullptr ? result.curve : store->curve(run.id);
  if (curve.size() > 1) json["curve"] = curve_json(curve);
  return json;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Json settings_json(const Records& records, const std::vector<NamedRun>& runs) {
  std::string commands;
  std::string configs;
  for (const auto& [grid, entries] : records.grids) {
    if (!grid.command.empty()) commands += (commands.empty() ? "" : "\n") + grid.command;
    if (records.grids.size() > 1) configs += fmt::format("# {}\n", grid.name);
    configs += grid.config + (grid.config.ends_with('\n') ? "" : "\n");
  }
  std::set<std::string> hosts;
  std::set<std::string> versions;
  std::set<std::string> days;
  for (const NamedRun& named : runs) {
    if (named.run->state != RunState::kDone) continue;
    hosts.insert(named.run->result.host);
    versions.insert(named.run->result.program_version);
    days.insert(named.run->finished.substr(0, named.run->finished.find_first_of(" T")));
  }
  Json settings = {{"command", commands},
                   {"config", configs},
                   {"hosts", joined(hosts)},
                   {"program_versions", joined(versions)}};
  if (!days.empty()) {
    settings["finished"] = *days.begin() == *days.rbegin()
                               ? *days.begin()
                               : fmt::format("{} to {}", *days.begin(), *days.rbegin());
  }
  settings["result_version"] = kResultVersion;
  return settings;
}

}  // namespace

std::vector<NamedRun> named_runs(const Records& records) {
  std::vector<NamedRun> runs;
  std::set<std::pair<std::int64_t, std::string>> seen;
  std::map<std::tuple<std::string, std::string, int, std::uint64_t>, std::int64_t> places;
  for (const auto& [grid, entries] : records.grids) {
    for (const GridEntry& entry : entries) {
      const RunRecord& run = records.run(entry);
      if (run.state != RunState::kDone && run.state != RunState::kFailed) continue;
      // Two grids may call the same data by two names; a column that takes its runs is another.
      const std::string once = entry.taken_from.empty() ? "" : entry.data;
      if (!seen.emplace(entry.run, once).second) continue;
      const bool first =
          places.emplace(std::tuple(entry.row, entry.data, entry.fold, entry.seed), entry.run)
              .second;
      runs.push_back({first ? entry.row : fmt::format("{} ({})", entry.row, grid.name), entry.data,
                      &run, entry.taken_from});
    }
  }
  return runs;
}

Json collect_model(const Records& records, const Store* store, const ReportOptions& options,
                   const Execution& execution) {
  const std::vector<NamedRun> runs = named_runs(records);
  std::string title = options.title;
  if (title.empty() && !records.grids.empty()) title = records.grids.front().grid.title;
  Json model = {{"title", title.empty() ? "Bermuda report" : title},
                {"made", options.made},
                {"program_version", kVersion},
                {"store", options.source},
                {"epoch", options.epoch == WhichEpoch::kKept ? "kept" : "last"}};
  for (const char* part :
       {"findings", "tables", "comparisons", "runs", "breakdowns", "gallery", "data"}) {
    model[part] = Json::array();
  }
  for (const auto& grid : records.grids) {
    add_tables(records, grid, options.epoch, model);
  }
  for (const NamedRun& run : runs) model["runs"].push_back(run_json(run, store));
  if (store != nullptr) {
    Drawer drawer;
    for (const TestedData& data : tested_data(*store, runs)) {
      for (Json& part : breakdowns_json(data)) model["breakdowns"].push_back(std::move(part));
      for (Json& part : gallery_json(data, options.most_drawn, drawer, execution)) {
        model["gallery"].push_back(std::move(part));
      }
      model["data"].push_back(data_card(data, drawer));
    }
  }
  model["settings"] = settings_json(records, runs);
  return model;
}

}  // namespace bermuda
