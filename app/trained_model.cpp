#include "trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda::app {

DataSet read_dataset_for(const Model& model, const std::string& place, const ReadOptions& options) {
  DataSet data = read_dataset(place, options);
  std::vector<int> number;
  for (const std::string& name : data.class_names) {
    const auto found = std::ranges::find(model.class_names, name);
    if (found == model.class_names.end()) {
      throw UsageError(fmt::format("{}: class {} is not one of the model's: {}", place,
                                   in_quotes(name), fmt::join(model.class_names, ", ")));
    }
    number.push_back(static_cast<int>(found - model.class_names.begin()));
  }
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      sample.label = number[static_cast<std::size_t>(sample.label)];
    }
  }
  data.class_names = model.class_names;
  return data;
}

Execution execution_for(const Method& method, const CommonOptions& options, Session& session) {
  Execution execution = session.execution();
  if (options.threads == 0 && method.runs_on_one_thread()) execution.threads = 1;
  return execution;
}

}  // namespace bermuda::app
