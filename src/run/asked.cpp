#include "bermuda/run/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/pair_score.hpp"
#include "bermuda/method/relabelling.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

std::size_t right_answers(const Metrics& metrics) {
  std::size_t right = 0;
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) right += metrics.confusion[c][c];
  return right;
}

std::string flaw_of_pairs(const AskedResult& result) {
  const std::size_t pairs = result.metrics.count / 2;
  const std::size_t right = right_answers(result.metrics);
  const std::size_t both = *result.both_right;
  if (result.metrics.count % 2 != 0) return fmt::format("{} graphs in pairs", result.metrics.count);
  // Each pair has none, one or both right.
  if (both > pairs || 2 * both > right || right - both > pairs) {
    return fmt::format("{} pairs with both right, of {} and {} right answers", both, pairs, right);
  }
  return {};
}

}  // namespace

Json to_json(const std::vector<Ask>& asks) {
  Json list = Json::array();
  for (const Ask& ask : asks) {
    Json& json = list.emplace_back(Json{{"name", ask.name}});
    if (!ask.checksum.empty()) json["data_checksum"] = ask.checksum;
    if (ask.pairs) json["pairs"] = true;
    if (ask.rounds > 0) json["rounds"] = ask.rounds;
  }
  return list;
}

std::vector<Ask> asks_of(const Json& json) {
  if (!json.is_array() || json.size() > kMostAsks) {
    throw JsonError(fmt::format("something else than a list of at most {} asked sets", kMostAsks));
  }
  std::vector<Ask> asks;
  std::set<std::string> names;
  for (const Json& entry : json) {
    object_of(entry, "what is asked");
    Ask& ask = asks.emplace_back();
    ask.name = string_of(entry.at("name"), "the name of what is asked");
    if (entry.contains("data_checksum")) {
      ask.checksum = string_of(entry.at("data_checksum"), "a checksum");
    }
    if (entry.contains("pairs")) ask.pairs = entry.at("pairs").get<bool>();
    if (entry.contains("rounds")) {
      ask.rounds =
          static_cast<int>(whole_number(entry.at("rounds"), "rounds", 1, kMostAskedRounds));
    }
    const bool renumbers = ask.rounds > 0;
    if (renumbers != ask.checksum.empty() || (renumbers && ask.pairs)) {
      throw JsonError(fmt::format("neither or both of graphs and rounds in {}, which is asked",
                                  in_quotes(ask.name)));
    }
    if (!names.insert(ask.name).second) {
      throw JsonError(fmt::format("{} asked twice", in_quotes(ask.name)));
    }
  }
  return asks;
}

Json to_json(const AskedResult& result) {
  Json json = {{"name", result.name}};
  json.update(to_json(result.metrics));
  if (result.both_right) json["both_right"] = *result.both_right;
  if (result.changed) json["changed"] = *result.changed;
  return json;
}

std::string flaw_of_asked(const std::vector<Ask>& asks, const std::vector<AskedResult>& results,
                          std::size_t tested) {
  if (asks.size() != results.size()) {
    return fmt::format("{} answered of {} asked sets", results.size(), asks.size());
  }
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const Ask& ask = asks[i];
    const AskedResult& result = results[i];
    const auto named = [&](const std::string& flaw) {
      return fmt::format("{} of {}", flaw, in_quotes(ask.name));
    };
    if (ask.name != result.name) return named("other answers instead");
    if (ask.pairs != result.both_right.has_value())
      return named("pairs that were not asked, or none");
    if ((ask.rounds > 0) != result.changed.has_value()) {
      return named("renumbered graphs that were not asked, or none");
    }
    if (result.both_right) {
      if (const std::string flaw = flaw_of_pairs(result); !flaw.empty()) return named(flaw);
    }
    if (!result.changed) continue;
    if (result.metrics.count != tested * static_cast<std::size_t>(ask.rounds)) {
      return named(fmt::format("{} answers in {} rounds on {} test graphs", result.metrics.count,
                               ask.rounds, tested));
    }
    if (*result.changed > result.metrics.count) {
      return named(fmt::format("{} changed answers of {}", *result.changed, result.metrics.count));
    }
  }
  return {};
}

AskedResult asked_result(const Ask& ask, Samples graphs, std::span<const Prediction> answers,
                         std::span<const int> said, int classes) {
  AskedResult result;
  result.name = ask.name;
  result.metrics = measure(graphs, answers, classes);
  if (ask.pairs) result.both_right = score_twins(graphs, answers).both_right;
  if (ask.rounds == 0) return result;
  result.changed = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    *result.changed += answers[i].label != said[i % said.size()] ? 1U : 0U;
  }
  return result;
}

QuestionSheet::QuestionSheet(const std::vector<Ask>& asks, Samples test, const AskedData& data,
                             const std::vector<std::string>& class_names, std::uint64_t seed,
                             const Execution& execution)
    : classes_(static_cast<int>(class_names.size())), all_(test.begin(), test.end()) {
  for (const Ask& ask : asks) {
    Part& part = parts_.emplace_back(Part{ask, all_.size(), 0});
    for (int round = 0; round < ask.rounds; ++round) {
      renumbered_.push_back(renumbered_samples(test, round, seed, execution));
      for (const Sample& sample : renumbered_.back()) all_.push_back(&sample);
    }
    if (ask.rounds == 0) {
      const auto found = data.find(ask.name);
      if (found == data.end()) throw Error(fmt::format("no graphs to ask: {}", ask.name));
      if (found->second->class_names != class_names) {
        throw Error(fmt::format("{}: graphs of other classes", ask.name));
      }
      for (const Sample* sample : found->second->all()) all_.push_back(sample);
    }
    part.count = all_.size() - part.first;
  }
}

std::vector<AskedResult> QuestionSheet::ask(const Method& method, std::span<const int> said,
                                            const Execution& execution) const {
  std::vector<AskedResult> results;
  for (const Part& part : parts_) {
    const Samples graphs = Samples(all_).subspan(part.first, part.count);
    results.push_back(
        asked_result(part.ask, graphs, method.predict(graphs, execution), said, classes_));
  }
  return results;
}

}  // namespace bermuda
