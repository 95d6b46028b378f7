// Runs and results as JSON: what coordinator and workers say to each other.
#include <cmath>
#include <limits>

#include "bermuda/bench/run.hpp"
#include "curve_columns.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no number that is not finite, but a diverged run does.
double number_of(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

}  // namespace

Json to_json(const RunSpec& spec) {
  return {{"method", spec.method}, {"options", spec.options},
          {"data", spec.data},     {"data_checksum", spec.data_checksum},
          {"fold", spec.fold},     {"seed", spec.seed}};
}

RunSpec run_spec_of(const Json& json) {
  RunSpec spec;
  spec.method = json.at("method");
  spec.options = json.at("options");
  spec.data = json.at("data");
  spec.data_checksum = json.at("data_checksum");
  spec.fold = json.at("fold");
  spec.seed = json.at("seed");
  return spec;
}

Json to_json(const RunResult& result) {
  Json json = {{"epochs", result.epochs},
               {"best_epoch", result.best_epoch},
               {"validation_accuracy", result.validation_accuracy},
               {"test", to_json(result.test)},
               {"train_graphs", result.train_graphs},
               {"validation_graphs", result.validation_graphs},
               {"chosen", result.chosen},
               {"seconds", result.seconds},
               {"cpu_seconds", result.cpu_seconds},
               {"host", result.host},
               {"program_version", result.program_version}};
  Json& answers = json["answers"] = Json::array();
  for (const Answer& answer : result.answers) {
    answers.push_back({answer.place, answer.said, answer.truth});
  }
  Json& curve = json["curve"] = Json::array();
  for (const EpochRecord& record : result.curve) {
    Json row = {record.epoch};
    for (const CurveColumn& column : kCurveColumns) row.push_back(record.*column.field);
    curve.push_back(std::move(row));
  }
  return json;
}

RunResult run_result_of(const Json& json) {
  RunResult result;
  result.epochs = json.at("epochs");
  result.best_epoch = json.at("best_epoch");
  result.validation_accuracy = number_of(json.at("validation_accuracy"));
  const Json& test = json.at("test");
  result.test.count = test.at("count");
  result.test.accuracy = test.at("accuracy");
  result.test.macro_f1 = test.at("macro_f1");
  result.test.positive_f1 = test.at("positive_f1");
  result.test.confusion = test.at("confusion").get<std::vector<std::vector<std::size_t>>>();
  result.train_graphs = json.at("train_graphs");
  result.validation_graphs = json.at("validation_graphs");
  result.chosen = json.at("chosen");
  for (const Json& answer : json.at("answers")) {
    result.answers.push_back({answer.at(0), answer.at(1), answer.at(2)});
  }
  result.seconds = json.at("seconds");
  result.cpu_seconds = json.at("cpu_seconds");
  result.host = json.at("host");
  result.program_version = json.at("program_version");
  for (const Json& row : json.at("curve")) {
    EpochRecord record;
    record.epoch = row.at(0);
    for (std::size_t i = 0; i < kCurveColumns.size(); ++i) {
      record.*kCurveColumns[i].field = number_of(row.at(i + 1));
    }
    result.curve.push_back(record);
  }
  return result;
}

}  // namespace bermuda
