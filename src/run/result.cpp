#include "bermuda/run/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/epoch_columns.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostGraphsCounted = std::int64_t{1} << 40;  // sums do not overflow
constexpr double kRounding = 1e-6;

// JSON has no number that is not finite, but a diverged run does.
double number_of(const Json& value, std::string_view what) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : real_number(value, what);
}

int small_number(const Json& value, std::string_view what) {
  return static_cast<int>(whole_number(value, what, 0, std::numeric_limits<int>::max()));
}

std::size_t count_of(const Json& value, std::string_view what) {
  return static_cast<std::size_t>(whole_number(value, what, 0, kMostGraphsCounted));
}

bool is_share(double value) { return value >= 0 && value <= 1; }

// NaN: not every store knows it.
bool is_time(double seconds) { return std::isnan(seconds) || (seconds >= 0 && seconds < 1e18); }

std::string flaw_of_metrics(const Metrics& metrics) {
  for (const auto& [name, value] :
       {std::pair("accuracy", metrics.accuracy), std::pair("macro-F1", metrics.macro_f1),
        std::pair("F1", metrics.positive_f1)}) {
    if (!is_share(value)) return fmt::format("{} as {}", value, name);
  }
  std::size_t sum = 0;
  std::size_t right = 0;
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) {
    if (metrics.confusion[c].size() != metrics.confusion.size()) {
      return "a confusion matrix that is no square";
    }
    for (const std::size_t count : metrics.confusion[c]) sum += count;
    right += metrics.confusion[c][c];
  }
  if (metrics.confusion.empty() || sum != metrics.count) {
    return fmt::format("a confusion matrix of {} graphs, of {} that were tested", sum,
                       metrics.count);
  }
  const double share = sum == 0 ? 0 : static_cast<double>(right) / static_cast<double>(sum);
  if (std::abs(share - metrics.accuracy) > kRounding) {
    return fmt::format("{} as accuracy, of {} right answers in {}", metrics.accuracy, right, sum);
  }
  return {};
}

std::string flaw_of_answers(std::span<const Answer> answers, const Metrics& metrics) {
  const std::size_t classes = metrics.confusion.size();
  std::vector<std::vector<std::size_t>> counts(classes, std::vector<std::size_t>(classes, 0));
  std::set<int> places;
  for (const Answer& answer : answers) {
    const auto said = static_cast<std::size_t>(answer.said);
    const auto truth = static_cast<std::size_t>(answer.truth);
    if (answer.said < 0 || answer.truth < 0 || said >= classes || truth >= classes) {
      return fmt::format("class {} for one of class {}, of {} classes", answer.said, answer.truth,
                         classes);
    }
    if (answer.place < 0 || !places.insert(answer.place).second) {
      return fmt::format("graph {} among those that were tested before", answer.place);
    }
    ++counts[truth][said];
  }
  return counts == metrics.confusion ? "" : "answers of another confusion matrix";
}

std::vector<std::size_t> class_counts(const Metrics& metrics) {
  std::vector<std::size_t> counts;
  for (const auto& row : metrics.confusion) {
    counts.push_back(std::accumulate(row.begin(), row.end(), std::size_t{0}));
  }
  return counts;
}

/// What is impossible about the last epoch, which must be of the graphs that the kept one is of.
/// Where the kept epoch has answers, the last must have them, too.
std::string flaw_of_last(const RunResult& result) {
  const LastEpoch& last = *result.last;
  if (std::string flaw = flaw_of_metrics(last.test); !flaw.empty()) return flaw;
  if (class_counts(last.test) != class_counts(result.test)) return "other test graphs";
  if (!last.answers.empty()) {
    if (std::string flaw = flaw_of_answers(last.answers, last.test); !flaw.empty()) return flaw;
  }
  if (result.answers.empty()) return {};
  const auto same_graph = [](const Answer& a, const Answer& b) {
    return a.place == b.place && a.truth == b.truth;
  };
  return std::ranges::equal(last.answers, result.answers, same_graph) ? ""
                                                                      : "answers for other graphs";
}

Json answer_triples(std::span<const Answer> answers) {
  Json triples = Json::array();
  for (const Answer& answer : answers) {
    triples.push_back({answer.place, answer.said, answer.truth});
  }
  return triples;
}

int digit_of(char digit, std::string_view what) {
  if (digit < '0' || digit > '9') {
    throw JsonError(fmt::format("{} as {}", in_quotes(std::string(1, digit)), what));
  }
  return digit - '0';
}

Metrics metrics_of(const Json& json) {
  Metrics metrics;
  metrics.count = count_of(json.at("count"), "a number of graphs");
  metrics.accuracy = real_number(json.at("accuracy"), "accuracy");
  metrics.macro_f1 = real_number(json.at("macro_f1"), "macro-F1");
  metrics.positive_f1 = real_number(json.at("positive_f1"), "F1");
  metrics.confusion = confusion_of(json.at("confusion"));
  return metrics;
}

AskedResult asked_of(const Json& json) {
  AskedResult asked;
  asked.name =
      string_of(object_of(json, "what was asked").at("name"), "the name of what was asked");
  asked.metrics = metrics_of(json);
  if (json.contains("both_right")) asked.both_right = count_of(json.at("both_right"), "pairs");
  if (json.contains("changed")) asked.changed = count_of(json.at("changed"), "changed answers");
  return asked;
}

}  // namespace

std::vector<std::vector<std::size_t>> confusion_of(const Json& json) {
  std::vector<std::vector<std::size_t>> confusion;
  if (!json.is_array()) throw JsonError("no confusion matrix");
  for (const Json& row : json) {
    if (!row.is_array()) throw JsonError("a confusion matrix without rows");
    std::vector<std::size_t>& counts = confusion.emplace_back();
    for (const Json& count : row) counts.push_back(count_of(count, "a number of graphs"));
  }
  return confusion;
}

std::string flaw_of(const RunResult& result) {
  if (std::string flaw = flaw_of_metrics(result.test); !flaw.empty()) return flaw;
  if (!result.answers.empty()) {
    if (std::string flaw = flaw_of_answers(result.answers, result.test); !flaw.empty()) return flaw;
  }
  if (result.last) {
    if (std::string flaw = flaw_of_last(result); !flaw.empty()) return flaw + " at the last epoch";
  }
  for (const AskedResult& asked : result.asked) {
    std::string flaw = flaw_of_metrics(asked.metrics);
    if (flaw.empty() && asked.metrics.confusion.size() != result.test.confusion.size()) {
      flaw = "other classes";
    }
    if (!flaw.empty()) return fmt::format("{} of {}", flaw, in_quotes(asked.name));
  }
  if (!std::isnan(result.validation_accuracy) && !is_share(result.validation_accuracy)) {
    return fmt::format("{} as validation accuracy", result.validation_accuracy);
  }
  if (result.best_epoch < 0 || result.best_epoch > result.epochs) {
    return fmt::format("best epoch {} of {}", result.best_epoch, result.epochs);
  }
  if (!is_time(result.seconds) || !is_time(result.cpu_seconds)) {
    return fmt::format("{} and {} seconds", result.seconds, result.cpu_seconds);
  }
  return {};
}

const Metrics* metrics_at(const RunResult& result, WhichEpoch epoch) {
  if (epoch == WhichEpoch::kKept) return &result.test;
  if (result.last) return &result.last->test;
  return result.best_epoch == result.epochs ? &result.test : nullptr;
}

const std::vector<Answer>& answers_at(const RunResult& result, WhichEpoch epoch) {
  return epoch == WhichEpoch::kLast && result.last ? result.last->answers : result.answers;
}

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
  json["answers"] = answer_triples(result.answers);
  if (result.last) {
    json["last"] = {{"test", to_json(result.last->test)},
                    {"answers", answer_triples(result.last->answers)}};
  }
  for (const AskedResult& asked : result.asked) json["asked"].push_back(to_json(asked));
  Json& curve = json["curve"] = Json::array();
  for (const EpochRecord& record : result.curve) {
    Json row = {record.epoch};
    for (const EpochColumn& column : kEpochColumns) row.push_back(record.*column.field);
    curve.push_back(std::move(row));
  }
  return json;
}

Json compact_answers(std::span<const Answer> answers) {
  std::string said;
  std::string truth;
  std::string places;
  bool in_order = true;
  for (const Answer& answer : answers) {
    if (answer.said > 9 || answer.truth > 9) return answer_triples(answers);
    in_order = in_order && answer.place == static_cast<int>(said.size());
    said += static_cast<char>('0' + answer.said);
    truth += static_cast<char>('0' + answer.truth);
    places += fmt::format("{}{}", places.empty() ? "" : " ", answer.place);
  }
  Json json = {{"said", said}, {"truth", truth}};
  if (!in_order) json["places"] = places;
  return json;
}

std::vector<Answer> answers_of(const Json& json) {
  std::vector<Answer> answers;
  if (!json.is_object()) {
    for (const Json& answer : json) {
      answers.push_back({small_number(answer.at(0), "a graph's place"),
                         small_number(answer.at(1), "a class"),
                         small_number(answer.at(2), "a class")});
    }
    return answers;
  }
  const std::string said = string_of(json.at("said"), "answers");
  const std::string truth = string_of(json.at("truth"), "classes");
  const std::string told = json.contains("places") ? string_of(json.at("places"), "places") : "";
  std::vector<std::string_view> places;
  if (!told.empty()) places = split_fields(told, ' ');
  if (said.size() != truth.size() || (!told.empty() && places.size() != said.size())) {
    throw JsonError(fmt::format("{} answers for {} graphs", said.size(), truth.size()));
  }
  for (std::size_t i = 0; i < said.size(); ++i) {
    const int place =
        told.empty() ? static_cast<int>(i) : parse_number<int>(places[i]).value_or(-1);
    if (place < 0) throw JsonError(fmt::format("{} as a graph's place", in_quotes(places[i])));
    answers.push_back({place, digit_of(said[i], "a class"), digit_of(truth[i], "a class")});
  }
  return answers;
}

RunResult run_result_of(const Json& json) {
  RunResult result;
  result.epochs = small_number(json.at("epochs"), "a number of epochs");
  result.best_epoch = small_number(json.at("best_epoch"), "the best epoch");
  result.validation_accuracy = number_of(json.at("validation_accuracy"), "validation accuracy");
  result.test = metrics_of(json.at("test"));
  result.train_graphs = count_of(json.at("train_graphs"), "a number of graphs");
  result.validation_graphs = count_of(json.at("validation_graphs"), "a number of graphs");
  result.chosen = object_of(json.at("chosen"), "what was chosen");
  result.seconds = number_of(json.at("seconds"), "seconds");
  result.cpu_seconds =
      json.contains("cpu_seconds") ? number_of(json.at("cpu_seconds"), "processor seconds") : 0;
  result.host = json.value("host", "");
  result.program_version = string_of(json.at("program_version"), "a version");
  if (json.contains("answers")) result.answers = answers_of(json.at("answers"));
  if (const auto last = json.find("last"); last != json.end() && !last->is_null()) {
    LastEpoch& epoch = result.last.emplace();
    epoch.test = metrics_of(object_of(*last, "the last epoch").at("test"));
    if (last->contains("answers")) epoch.answers = answers_of(last->at("answers"));
  }
  if (const auto asked = json.find("asked"); asked != json.end()) {
    if (!asked->is_array() || asked->size() > kMostAsks) throw JsonError("too many asked sets");
    for (const Json& one : *asked) result.asked.push_back(asked_of(one));
  }
  if (const auto curve = json.find("curve"); curve != json.end()) {
    for (const Json& row : *curve) {
      EpochRecord& record = result.curve.emplace_back();
      record.epoch = small_number(row.at(0), "an epoch");
      std::size_t place = 1;
      for (const EpochColumn& column : kEpochColumns) {
        record.*column.field = number_of(row.at(place++), column.name);
      }
    }
  }
  return result;
}

}  // namespace bermuda
