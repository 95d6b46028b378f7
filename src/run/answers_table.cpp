#include "bermuda/run/answers_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

constexpr int kOther = -2;     // a graph that nobody asks about
constexpr int kNoAnswer = -1;  // yet

std::string class_list(const std::vector<std::string>& class_names) {
  std::string text;
  for (const std::string& name : class_names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<int> parse_answers_table(std::string_view text, const std::string& file,
                                     Samples samples, Samples others,
                                     const std::vector<std::string>& class_names) {
  std::unordered_map<std::string_view, int> places;  // of the graph in samples, or kOther
  for (const Sample* sample : others) places.emplace(sample->id, kOther);
  for (std::size_t i = 0; i < samples.size(); ++i) places[samples[i]->id] = static_cast<int>(i);
  std::vector<int> classes(samples.size(), kNoAnswer);
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> fields = split_fields(line, '\t');
    if (fields.size() < 2) {
      throw InputError(file, lines.number(), in_quotes(line), "an id, a tab and a class");
    }
    const auto place = places.find(fields[0]);
    if (place == places.end()) {
      throw InputError(file, lines.number(), fmt::format("graph {}", in_quotes(fields[0])),
                       "an id of the data");
    }
    if (place->second == kOther) continue;
    const auto name = std::ranges::find(class_names, fields[1]);
    if (name == class_names.end()) {
      throw InputError(file, lines.number(), fmt::format("class {}", in_quotes(fields[1])),
                       fmt::format("one of {}{}", class_list(class_names),
                                   did_you_mean(fields[1], class_names)));
    }
    int& answer = classes[static_cast<std::size_t>(place->second)];
    if (answer != kNoAnswer) {
      throw InputError(file, lines.number(), fmt::format("graph {} again", in_quotes(fields[0])),
                       "one answer per graph");
    }
    answer = static_cast<int>(name - class_names.begin());
  }
  const auto missing = std::ranges::find(classes, kNoAnswer);
  if (missing != classes.end()) {
    throw InputError(
        file, 0,
        fmt::format("no answer for {} of {} graphs, {} among them",
                    std::ranges::count(classes, kNoAnswer), classes.size(),
                    in_quotes(samples[static_cast<std::size_t>(missing - classes.begin())]->id)),
        "one each");
  }
  return classes;
}

}  // namespace bermuda
