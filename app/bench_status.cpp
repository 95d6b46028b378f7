#include "bench_status.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "bermuda/bench/bench.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

/// Of a grid.
struct Counts {
  std::array<std::size_t, 4> of_state{};  // by RunState
  std::size_t not_begun = 0;              // places of the configuration that no run was planned for
  double spent_minutes = 0;
  double left_minutes = 0;

  std::size_t count(RunState state) const { return of_state[static_cast<std::size_t>(state)]; }
  bool complete() const {
    return not_begun == 0 && count(RunState::kRunning) == 0 && count(RunState::kWaiting) == 0 &&
           count(RunState::kFailed) == 0;
  }
};

Counts count(const Records& records, const Records::GridWithEntries& grid) {
  const Grid config = parse_stored_grid(grid.grid.config, grid.grid.name + ".toml");
  std::map<std::pair<std::string, std::string>, double> told;
  for (const GridCell& cell : config.cells) told[{cell.row, cell.data}] = cell.expected_minutes;
  Expectations expectations;
  for (const auto& [id, run] : records.runs) expectations.learn(run);
  Counts counts;
  std::set<std::tuple<std::string, std::string, int, std::uint64_t>> begun;
  std::map<std::pair<std::string, std::string>, std::pair<double, int>> spent;  // and by how many
  std::set<std::int64_t> seen;  // two places may show the same run
  for (const GridEntry& entry : grid.entries) {
    begun.emplace(entry.row, entry.data, entry.fold, entry.seed);
    if (!seen.insert(entry.run).second) continue;
    const RunRecord& run = records.run(entry);
    ++counts.of_state[static_cast<std::size_t>(run.state)];
    if (run.state == RunState::kDone) {
      counts.spent_minutes += spent_minutes(run.result);
      auto& [minutes, runs] = spent[{entry.row, entry.data}];
      minutes += spent_minutes(run.result);
      ++runs;
    } else {
      counts.left_minutes += expectations.minutes(run.spec, told[{entry.row, entry.data}]);
    }
  }
  for (const GridCell& cell : config.cells) {
    const auto like_it = spent.find({cell.row, cell.data});
    const double minutes = !cell.same_as.empty() ? 0
                           : like_it == spent.end()
                               ? cell.expected_minutes
                               : like_it->second.first / like_it->second.second;
    for (const int fold : cell.folds) {
      for (std::uint64_t i = 0; i < cell.seeds; ++i) {
        if (begun.contains({cell.row, cell.data, fold, cell.seed + i})) continue;
        ++counts.not_begun;
        counts.left_minutes += minutes;
      }
    }
  }
  return counts;
}

}  // namespace

std::string status_text(const Records& records) {
  std::string text;
  for (const auto& entry : records.grids) {
    const Counts counts = count(records, entry);
    text += fmt::format(
        "{}: {} done, {} running, {} waiting, {} failed; {}{:.2f} core-hours spent, about {:.2f} "
        "to come\n",
        entry.grid.name, counts.count(RunState::kDone), counts.count(RunState::kRunning),
        counts.count(RunState::kWaiting), counts.count(RunState::kFailed),
        counts.complete()      ? "complete; "
        : counts.not_begun > 0 ? fmt::format("{} not begun; ", counts.not_begun)
                               : "",
        counts.spent_minutes / 60, counts.left_minutes / 60);
    for (const GridEntry& place : entry.entries) {
      if (!place.taken_from.empty()) continue;
      const RunRecord& run = records.run(place);
      if (run.state == RunState::kRunning) {
        text += fmt::format("  running: {}{}\n", run.spec.text(place.row),
                            run.owner.empty() ? "" : fmt::format(" (by {})", run.owner));
      }
      if (run.state == RunState::kWaiting && !run.owner.empty()) {
        text += fmt::format("  stopped: {} (its process, {}, is gone; the next start goes on)\n",
                            run.spec.text(place.row), run.owner);
      }
      if (run.state == RunState::kFailed) {
        text += fmt::format("  failed: {}: {}\n", run.spec.text(place.row), run.error);
      }
    }
  }
  return text.empty() ? "the store has no grid yet\n" : text;
}

Json status_json(const Records& records) {
  Json grids = Json::array();
  for (const auto& entry : records.grids) {
    const Counts counts = count(records, entry);
    grids.push_back({{"grid", entry.grid.name},
                     {"done", counts.count(RunState::kDone)},
                     {"running", counts.count(RunState::kRunning)},
                     {"waiting", counts.count(RunState::kWaiting)},
                     {"failed", counts.count(RunState::kFailed)},
                     {"not_begun", counts.not_begun},
                     {"complete", counts.complete()},
                     {"core_hours_spent", counts.spent_minutes / 60},
                     {"core_hours_to_come", counts.left_minutes / 60}});
  }
  return {{"grids", grids}};
}

}  // namespace bermuda::app
