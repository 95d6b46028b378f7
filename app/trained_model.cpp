#include "trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda::app {

namespace {

std::size_t graphs_of_class(const DataSet& data, int label) {
  const std::vector<const Sample*> samples = data.all();
  return static_cast<std::size_t>(
      std::ranges::count_if(samples, [&](const Sample* s) { return s->label == label; }));
}

/// The model's number of each class of the data.
std::vector<int> numbers_in(const Model& model, const DataSet& data, const std::string& place) {
  std::vector<int> numbers;
  for (const std::string& name : data.class_names) {
    const auto found = std::ranges::find(model.class_names, name);
    if (found == model.class_names.end()) {
      throw UsageError(
          fmt::format("{}: class {} is not one of the model's: {} ({} of {} graphs are of it)",
                      place, in_quotes(name), fmt::join(model.class_names, ", "),
                      graphs_of_class(data, static_cast<int>(numbers.size())), data.size()));
    }
    numbers.push_back(static_cast<int>(found - model.class_names.begin()));
  }
  return numbers;
}

}  // namespace

DataSet read_dataset_for(const Model& model, const std::string& place, const ReadOptions& options,
                         bool without_classes) {
  DataSet data = read_dataset(place, options);
  const std::vector<int> numbers = without_classes
                                       ? std::vector<int>(data.class_names.size(), Sample::kNoClass)
                                       : numbers_in(model, data, place);
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      if (sample.label == Sample::kNoClass) continue;
      sample.label = numbers[static_cast<std::size_t>(sample.label)];
    }
  }
  data.class_names = model.class_names;
  return data;
}

std::vector<std::string> note_differences(const Model& model,
                                          const std::vector<const Sample*>& asked,
                                          const DataSet& data, Session& session) {
  if (!model.training) return {};
  std::vector<std::string> differences = unlike_training(*model.training, asked, data);
  for (const std::string& difference : differences) session.note("note: " + difference);
  return differences;
}

void allow_command(Method& method, const std::string& run, bool allowed) {
  const std::string command = method.foreign_command();
  if (command.empty()) return;
  if (!allowed) {
    throw UsageError(fmt::format("{}: its model runs the command {}; --run-command allows that",
                                 run, in_quotes(command)));
  }
  method.trust_command();
}

Execution execution_for(const Method& method, const CommonOptions& options, Session& session) {
  Execution execution = session.execution();
  if (options.threads == 0 && method.runs_on_one_thread()) execution.threads = 1;
  return execution;
}

}  // namespace bermuda::app
