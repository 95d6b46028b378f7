#include "bermuda/method/answers_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

constexpr int kOther = -2;     // a graph that nobody asks about
constexpr int kNoAnswer = -1;  // yet
constexpr std::string_view kId = "#id";

std::string score_column(std::string_view class_name) {
  return fmt::format("score of {}", class_name);
}

class AnswersReader {
 public:
  AnswersReader(const std::string& file, const std::vector<std::string>& class_names)
      : file_(file), class_names_(class_names) {}

  void read_header(std::string_view line) {
    const std::vector<std::string_view> names = split_fields(line, '\t');
    if (names[0] != kId) return;
    named_ = true;
    std::vector<std::size_t> columns;
    for (const std::string& name : class_names_) {
      const auto found = std::ranges::find(names, score_column(name));
      if (found == names.end()) return;
      columns.push_back(static_cast<std::size_t>(found - names.begin()));
    }
    score_columns_ = columns;
  }

  Prediction read(const std::vector<std::string_view>& fields, long line) const {
    const auto name = std::ranges::find(class_names_, fields[1]);
    if (name == class_names_.end()) {
      throw InputError(file_, line, fmt::format("class {}", in_quotes(fields[1])),
                       fmt::format("one of {}{}", fmt::join(class_names_, ", "),
                                   did_you_mean(fields[1], class_names_)));
    }
    Prediction said{static_cast<int>(name - class_names_.begin()),
                    std::vector<double>(class_names_.size())};
    const bool unnamed = !named_ && fields.size() == 2 + class_names_.size();
    if (!score_columns_ && !unnamed) {
      said.scores[static_cast<std::size_t>(said.label)] = 1;
      return said;
    }
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      said.scores[c] = score(fields, unnamed ? 2 + c : (*score_columns_)[c], line);
    }
    return said;
  }

 private:
  double score(const std::vector<std::string_view>& fields, std::size_t column, long line) const {
    if (column >= fields.size()) {
      throw InputError(file_, line, fmt::format("{} columns", fields.size()),
                       "as many as the header names");
    }
    const auto value = parse_number<double>(fields[column]);
    if (!value || !std::isfinite(*value)) {
      throw InputError(file_, line, fmt::format("{} as a score", in_quotes(fields[column])),
                       "a finite number");
    }
    return *value;
  }

  const std::string& file_;
  const std::vector<std::string>& class_names_;
  bool named_ = false;                                     // by a header
  std::optional<std::vector<std::size_t>> score_columns_;  // where a header names them; by class
};

}  // namespace

std::string answers_header(const std::vector<std::string>& class_names,
                           const std::vector<std::string>& more) {
  std::string line = fmt::format("{}\tclass", kId);
  for (const std::string& name : more) line += '\t' + name;
  for (const std::string& name : class_names) line += '\t' + score_column(name);
  return line + '\n';
}

std::vector<Prediction> parse_answers_table(std::string_view text, const std::string& file,
                                            Samples samples, Samples others,
                                            const std::vector<std::string>& class_names) {
  std::unordered_map<std::string_view, int> places;  // of the graph in samples, or kOther
  for (const Sample* sample : others) places.emplace(sample->id, kOther);
  for (std::size_t i = 0; i < samples.size(); ++i) places[samples[i]->id] = static_cast<int>(i);
  std::vector<Prediction> answers(samples.size(), Prediction{kNoAnswer, {}});
  AnswersReader reader(file, class_names);
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = split_fields(line, '\t');
    if (line.starts_with('#') && !places.contains(fields[0])) {
      reader.read_header(line);
      continue;
    }
    if (fields.size() < 2) {
      throw InputError(file, lines.number(), in_quotes(line), "an id, a tab and a class");
    }
    const auto place = places.find(fields[0]);
    if (place == places.end()) {
      throw InputError(file, lines.number(), fmt::format("graph {}", in_quotes(fields[0])),
                       "an id of the data");
    }
    if (place->second == kOther) continue;
    Prediction& answer = answers[static_cast<std::size_t>(place->second)];
    if (answer.label != kNoAnswer) {
      throw InputError(file, lines.number(), fmt::format("graph {} again", in_quotes(fields[0])),
                       "one answer per graph");
    }
    answer = reader.read(fields, lines.number());
  }
  const auto missing = std::ranges::find(answers, kNoAnswer, &Prediction::label);
  if (missing != answers.end()) {
    throw InputError(
        file, 0,
        fmt::format("no answer for {} of {} graphs, {} among them",
                    std::ranges::count(answers, kNoAnswer, &Prediction::label), answers.size(),
                    in_quotes(samples[static_cast<std::size_t>(missing - answers.begin())]->id)),
        "one each");
  }
  return answers;
}

}  // namespace bermuda
