#include <fmt/format.h>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

nlohmann::ordered_json all_options(const GridCell& cell, const MethodRegistry& methods,
                                   const std::string& file) {
  if (cell.method == kRecordedMethod) return {{"name", cell.row}};  // all that is known of it
  try {
    const std::unique_ptr<Method> method = methods.get(cell.method).make();
    const ParameterSet parameters = method->parameters();
    for (const auto& [name, text] : cell.options) parameters.get(name).set(text);
    return method->settings().values();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}:{}: {}: {}", file, cell.line, cell.method, error.what()));
  }
}

std::string likeness(const RunSpec& spec) {
  return spec.method + '\n' + spec.data_checksum + '\n' + options_of_key(spec.options).dump();
}

}  // namespace

void check_methods(const Grid& grid, const MethodRegistry& methods, const std::string& file) {
  for (const GridCell& cell : grid.cells) all_options(cell, methods, file);
}

std::vector<PlannedRun> spell_out(const Grid& grid, const std::map<std::string, PreparedData>& data,
                                  const MethodRegistry& methods, const std::string& file) {
  std::vector<PlannedRun> runs;
  for (const GridCell& cell : grid.cells) {
    PlannedRun planned;
    planned.row = cell.row;
    planned.place = cell.place;
    planned.expected_minutes = cell.expected_minutes;
    planned.spec.method = cell.method;
    planned.spec.options = all_options(cell, methods, file);
    if (!cell.same_as.empty()) planned.column = cell.data;
    planned.spec.data = cell.runs_on();
    planned.spec.data_checksum = data.at(cell.runs_on()).checksum;
    planned.spec.folding = plain_folding(data.at(cell.runs_on()).data, cell.folding);
    planned.spec.asks = data.at(cell.runs_on()).asked();
    for (const int fold : cell.folds) {
      for (std::uint64_t i = 0; i < cell.seeds; ++i) {
        planned.spec.fold = fold;
        planned.spec.seed = cell.seed + i;
        runs.push_back(planned);
      }
    }
  }
  return runs;
}

double spent_minutes(const RunResult& result) {
  return (result.cpu_seconds > 0 ? result.cpu_seconds : result.seconds) / 60;
}

void Expectations::learn(const RunRecord& run) {
  if (run.state != RunState::kDone) return;
  Seen& seen = seen_[likeness(run.spec)];
  seen.minutes += spent_minutes(run.result);
  ++seen.count;
}

double Expectations::minutes(const RunSpec& spec, double otherwise) const {
  const auto seen = seen_.find(likeness(spec));
  return seen == seen_.end() ? otherwise : seen->second.minutes / seen->second.count;
}

}  // namespace bermuda
