#include "selection.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"

namespace bermuda::app {

void Selection::add_split(CLI::App* command) {
  command->add_option("--split", split, "Look in this split only")->type_name("NAME");
}

void Selection::add_class(CLI::App* command) {
  command->add_option("--class", class_name, "Look at this class only")->type_name("CLASS");
}

std::vector<Selected> Selection::of(const DataSet& data, const std::string& place) const {
  if (!split.empty() && data.find(split) == nullptr) {
    std::vector<std::string> known;
    for (const Split& candidate : data.splits) known.push_back(candidate.name);
    throw UsageError(fmt::format("{}: no split named {}{}", place, in_quotes(split),
                                 did_you_mean_or_all(split, known)));
  }
  std::vector<Selected> selected;
  for (const Split& candidate : data.splits) {
    if (!split.empty() && candidate.name != split) continue;
    for (const Sample& sample : candidate.samples) {
      if (!id.empty() && sample.id != id) continue;
      if (!class_name.empty() && class_text(data.class_names, sample.label) != class_name) continue;
      selected.push_back({&candidate, &sample});
    }
  }
  if (selected.empty()) {
    throw UsageError(fmt::format("{}: no graph{}{}", place, id.empty() ? "" : " " + in_quotes(id),
                                 class_name.empty() ? "" : " of class " + in_quotes(class_name)));
  }
  return selected;
}

std::string class_text(const std::vector<std::string>& names, int label) {
  return label == Sample::kNoClass ? "?" : names.at(static_cast<std::size_t>(label));
}

nlohmann::ordered_json class_json(const std::vector<std::string>& names, int label) {
  if (label == Sample::kNoClass) return nullptr;
  return names.at(static_cast<std::size_t>(label));
}

std::vector<const Sample*> samples_of(const std::vector<Selected>& selected) {
  std::vector<const Sample*> samples;
  for (const Selected& entry : selected) samples.push_back(entry.sample);
  return samples;
}

}  // namespace bermuda::app
