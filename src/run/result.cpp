#include "bermuda/run/result.hpp"

#include <cmath>
#include <limits>

#include "bermuda/method/epoch_columns.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no number that is not finite, but a diverged run does.
double number_of(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Metrics metrics_of(const Json& json) {
  Metrics metrics;
  metrics.count = json.at("count");
  metrics.accuracy = json.at("accuracy");
  metrics.macro_f1 = json.at("macro_f1");
  metrics.positive_f1 = json.at("positive_f1");
  metrics.confusion = json.at("confusion").get<std::vector<std::vector<std::size_t>>>();
  return metrics;
}

}  // namespace

std::vector<const Sample*> tested_samples(const DataSet& data) {
  const Split* test = data.find("test");
  if (test == nullptr || data.find("train") == nullptr) return data.all();
  std::vector<const Sample*> samples;
  for (const Sample& sample : test->samples) samples.push_back(&sample);
  return samples;
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
    for (const EpochColumn& column : kEpochColumns) row.push_back(record.*column.field);
    curve.push_back(std::move(row));
  }
  return json;
}

RunResult run_result_of(const Json& json) {
  RunResult result;
  result.epochs = json.at("epochs");
  result.best_epoch = json.at("best_epoch");
  result.validation_accuracy = number_of(json.at("validation_accuracy"));
  result.test = metrics_of(json.at("test"));
  result.train_graphs = json.at("train_graphs");
  result.validation_graphs = json.at("validation_graphs");
  result.chosen = json.at("chosen");
  result.seconds = json.at("seconds");
  result.cpu_seconds = json.value("cpu_seconds", 0.0);
  result.host = json.value("host", "");
  result.program_version = json.at("program_version");
  if (const auto answers = json.find("answers"); answers != json.end()) {
    for (const Json& answer : *answers) {
      result.answers.push_back({answer.at(0), answer.at(1), answer.at(2)});
    }
  }
  if (const auto curve = json.find("curve"); curve != json.end()) {
    for (const Json& row : *curve) {
      EpochRecord& record = result.curve.emplace_back();
      record.epoch = row.at(0);
      std::size_t place = 1;
      for (const EpochColumn& column : kEpochColumns) {
        record.*column.field = number_of(row.at(place++));
      }
    }
  }
  return result;
}

}  // namespace bermuda
