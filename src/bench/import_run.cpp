#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/checkpoint_file.hpp"
#include "bermuda/method/model_file.hpp"
#include "bermuda/method/run_files.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The run of the plan that the folder's record describes.
const PlannedRun& find_planned(const Plan& plan, const Json& record, const std::string& file) {
  std::string nearest = "no run of this method, fold and seed";
  for (const PlannedRun& planned : plan.runs) {
    const RunSpec& spec = planned.spec;
    if (spec.method != record.at("method") || spec.fold != record.at("fold") ||
        spec.seed != record.at("seed")) {
      continue;
    }
    const FoldParts parts = fold_parts(plan.data.at(spec.data).data, spec.fold);
    if (samples_checksum(parts.train, parts.validation) != record.at("data_checksum")) {
      nearest = "other data";
      continue;
    }
    if (spec.options != record.at("options")) {
      for (const auto& [key, value] : spec.options.items()) {
        const Json other = record.at("options").value(key, Json());
        if (other != value) nearest = fmt::format("{} {}, not {}", key, value.dump(), other.dump());
      }
      continue;
    }
    return planned;
  }
  throw UsageError(fmt::format("{}: not a run of {}, which has {}", file, plan.grid.name, nearest));
}

std::vector<EpochRecord> read_epochs(const fs::path& path) {
  std::vector<EpochRecord> epochs;
  if (!fs::exists(path)) return epochs;
  const std::string text = read_file(path);
  LineReader lines(text);
  std::string_view line;
  lines.next(line);  // names of the columns
  while (lines.next(line)) {
    std::vector<double> numbers;
    for (const std::string_view field : split_fields(line, '\t')) {
      numbers.push_back(parse_number<double>(field).value_or(std::nan("")));
    }
    if (numbers.size() != 7) {
      throw InputError(path.string(), lines.number(), fmt::format("{} columns", numbers.size()),
                       "the 7 that train writes");
    }
    epochs.push_back({static_cast<int>(numbers[0]), numbers[1], numbers[2], numbers[3], numbers[4],
                      numbers[5], numbers[6]});
  }
  return epochs;
}

}  // namespace

std::string import_run(Store& store, const Plan& plan, const fs::path& folder,
                       const MethodRegistry& methods, const Execution& execution) {
  const std::string file = (folder / kRunFile).string();
  if (!fs::exists(file)) {
    throw UsageError(fmt::format("{}: no finished run of train there", folder.string()));
  }
  const Json record = parse_json_object(read_file(file), file, 1);
  try {
    const PlannedRun& planned = find_planned(plan, record, file);
    const DataSet& data = plan.data.at(planned.spec.data).data;
    const FoldParts parts = fold_parts(data, planned.spec.fold);
    const std::string model_file = (folder / kModelFile).string();
    const Model model = decode_model(read_file(model_file), model_file, methods);
    RunResult result;
    test_method(*model.method, data, parts, execution, result);
    if (result.test.accuracy != record.at("test_accuracy").get<double>()) {
      throw InputError(
          model_file, 0,
          fmt::format("a model with {} right on the test graphs", result.test.accuracy),
          fmt::format("{}, as run.json says", record.at("test_accuracy").dump()));
    }
    result.epochs = record.at("epochs");
    result.best_epoch = record.at("best_epoch");
    result.validation_accuracy = record.at("validation_accuracy");
    result.chosen = record.at("chosen");
    result.curve = read_epochs(folder / kEpochsFile);
    result.train_graphs = parts.train.size();
    result.validation_graphs = parts.validation.size();
    result.seconds = record.at("seconds");
    result.cpu_seconds = record.value("cpu_seconds", 0.0);
    result.host = "imported";
    result.program_version = record.at("program_version");
    store.finish(planned.spec.key(), result);
    return planned.spec.text();
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("something else ({})", error.what()),
                     "what train writes there");
  }
}

}  // namespace bermuda
