#include "settings.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>

#include "bermuda/generate/task.hpp"
#include "bermuda/probe/audit.hpp"
#include "bermuda/probe/filter.hpp"
#include "bindings.hpp"

namespace bermuda::python {

void set_options(std::span<const ParameterSet> sets, const Options& options) {
  for (const auto& [name, text] : options) {
    const Parameter* found = nullptr;
    for (const ParameterSet& set : sets) {
      const auto place = std::ranges::find_if(set.all(), [&](const Parameter& parameter) {
        return parameter.name == name || parameter.key() == name;
      });
      if (found == nullptr && place != set.all().end()) found = &*place;
    }
    if (found == nullptr) found = &sets.front().get(name);  // throws, and tells the nearest
    found->set(text);
  }
}

std::string settings_json(const Settings& settings) {
  auto entries = nlohmann::ordered_json::array();
  for (const Setting& setting : settings.all()) {
    entries.push_back({{"name", setting.key()},
                       {"help", setting.help},
                       {"default", setting.value()},
                       {"range", setting.range_text()},
                       {"when_open", setting.when_open}});
  }
  return entries.dump();
}

void bind_settings(py::module_& module) {
  module.def("task_settings",
             [](const std::string& name) { return settings_json(make_task(name)->settings()); });
  module.def("audit_settings", [] { return settings_json(AuditOptions().settings()); });
  module.def("filter_settings", [] { return settings_json(FilterOptions().settings()); });
  module.def("tasks", [] {
    py::dict found;
    for (const TaskInfo& info : tasks()) {
      found[py::str(std::string(info.name))] = std::string(info.summary);
    }
    return found;
  });
}

}  // namespace bermuda::python
