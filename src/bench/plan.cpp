#include <fmt/format.h>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

nlohmann::ordered_json all_options(const GridCell& cell, const MethodRegistry& methods,
                                   const std::string& file) {
  try {
    const std::unique_ptr<Method> method = methods.get(cell.method).make();
    const ParameterSet parameters = method->parameters();
    for (const auto& [name, text] : cell.options) parameters.get(name).set(text);
    return parameters.values();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}:{}: {}: {}", file, cell.line, cell.method, error.what()));
  }
}

}  // namespace

std::vector<PlannedRun> spell_out(const Grid& grid, const std::map<std::string, PreparedData>& data,
                                  const MethodRegistry& methods, const std::string& file) {
  std::vector<PlannedRun> runs;
  for (const GridCell& cell : grid.cells) {
    PlannedRun planned;
    planned.row = cell.row;
    planned.place = cell.place;
    planned.minutes = cell.minutes;
    planned.spec.method = cell.method;
    planned.spec.options = all_options(cell, methods, file);
    planned.spec.data = cell.data;
    planned.spec.data_checksum = data.at(cell.data).checksum;
    planned.spec.seed = cell.seed;
    for (const int fold : cell.folds) {
      planned.spec.fold = fold;
      runs.push_back(planned);
    }
  }
  return runs;
}

double expected_minutes(const PlannedRun& planned, const std::vector<RunRecord>& known) {
  double sum = 0;
  int count = 0;
  for (const RunRecord& run : known) {
    if (run.state != RunState::kDone || run.spec.method != planned.spec.method ||
        run.spec.data_checksum != planned.spec.data_checksum ||
        run.spec.options != planned.spec.options) {
      continue;
    }
    sum += run.result.cpu_seconds > 0 ? run.result.cpu_seconds : run.result.seconds;
    ++count;
  }
  return count == 0 ? planned.minutes : sum / count / 60;
}

}  // namespace bermuda
