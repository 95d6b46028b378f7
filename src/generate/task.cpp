#include "bermuda/generate/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "with_settings.hpp"

namespace bermuda {
namespace {

constexpr std::uint32_t kMostAttempts = 100000;

// "TR0000042". By hand: fmt would take a twentieth of a graph's time.
std::string numbered_id(std::string_view prefix, std::uint64_t index) {
  constexpr std::size_t kWidth = 7;
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), index).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  std::string id(prefix);
  id.append(kWidth - std::min(length, kWidth), '0');
  id.append(digits.data(), length);
  return id;
}

/// A value of a manifest as a parameter reads it.
std::string recorded_text(const nlohmann::ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const auto& item : value) list += (list.empty() ? "" : ",") + recorded_text(item);
  return list;
}

}  // namespace

// One per task, in its own file.
TaskInfo triangles_task();
TaskInfo clique_distance_task();
TaskInfo cycle_k_task();
TaskInfo clique_k_task();
TaskInfo connected_task();
TaskInfo bridge_task();
TaskInfo bipartite_task();
TaskInfo planar_task();
TaskInfo diameter_task();
TaskInfo isomorphic_pair_task();
TaskInfo csl_task();

const std::vector<TaskInfo>& tasks() {
  static const std::vector<TaskInfo> list = {
      triangles_task(), clique_distance_task(), cycle_k_task(),   clique_k_task(),
      connected_task(), bridge_task(),          bipartite_task(), planar_task(),
      diameter_task(),  isomorphic_pair_task(), csl_task(),
  };
  return list;
}

std::unique_ptr<Task> make_task(std::string_view name) {
  std::vector<std::string> known;
  for (const TaskInfo& info : tasks()) {
    if (info.name == name) return info.make();
    known.emplace_back(info.name);
  }
  throw UsageError(
      fmt::format("no task named {}{}", in_quotes(name), did_you_mean_or_all(name, known)));
}

std::unique_ptr<Task> copy_of(const Task& task) {
  std::unique_ptr<Task> copy = make_task(task.name());
  const ParameterSet parameters = copy->parameters();
  const Settings settings = task.settings();
  for (const Setting& setting : settings.all()) {
    if (!setting.is_open()) parameters.get(setting.name).set(setting.value_text());
  }
  return copy;
}

std::unique_ptr<Task> with_settings(const Task& task, const TaskSettings& changed) {
  std::unique_ptr<Task> copy = copy_of(task);
  const ParameterSet parameters = copy->parameters();
  for (const auto& [name, text] : changed) {
    const Parameter& parameter = parameters.get(name);
    try {
      parameter.set(text);
    } catch (const UsageError&) {
      throw UsageError(fmt::format("{}: found {} {}, expected {}", task.name(), name, text,
                                   parameter.range_text()));
    }
  }
  copy->validate();
  return copy;
}

std::unique_ptr<Task> recorded_task(const nlohmann::ordered_json& provenance,
                                    const std::string& from) {
  const auto member = [&](const char* key) {
    const bool there = provenance.is_object() && provenance.contains(key);
    return there ? provenance.at(key) : nlohmann::ordered_json();
  };
  const nlohmann::ordered_json name = member("task");
  if (!name.is_string() || name.get<std::string>().empty()) {
    throw UsageError(fmt::format("{}: does not say for which task it was made", from));
  }
  std::unique_ptr<Task> task = make_task(name.get<std::string>());
  const nlohmann::ordered_json recorded = member("parameters");
  if (!recorded.is_object()) return task;
  try {
    for (const auto& [key, value] : recorded.items()) {
      const Parameter& parameter = task->parameters().get(key);
      if (parameter.value() != value) parameter.set(recorded_text(value));
    }
    task->validate();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", from, error.what()));
  }
  return task;
}

std::vector<std::string> Task::axes() const {
  const Settings settings = this->settings();
  std::vector<std::string> found;
  for (const char* axis : {"nodes", "degree"}) {
    const auto has = [&](const std::string& name) {
      return std::ranges::any_of(settings.all(), [&](const Setting& s) { return s.name == name; });
    };
    if (has(fmt::format("min-{}", axis)) && has(fmt::format("max-{}", axis))) {
      found.emplace_back(axis);
    }
  }
  return found;
}

std::vector<TaskSettings> Task::settings_for(const Regime& regime) const {
  TaskSettings settings;
  if (regime.nodes) {
    settings["min-nodes"] = settings["max-nodes"] = std::to_string(*regime.nodes);
  }
  if (regime.degree) {
    // The band may reach beyond what the task allows.
    const Settings own = this->settings();
    const auto within = [&](const char* name, double value) {
      const Setting& setting = own.get(name);
      return fmt::format("{}", std::clamp(value, setting.low, setting.high));
    };
    settings["min-degree"] = within("min-degree", regime.degree->low);
    settings["max-degree"] = within("max-degree", regime.degree->high);
  }
  return {settings};
}

std::optional<Sample> Task::make_fitting(std::uint64_t seed, std::uint64_t item, int wanted,
                                         std::uint32_t attempts,
                                         const std::function<bool(const Sample&)>& fits,
                                         const StopPoll& stop) const {
  for (std::uint32_t i = 0; i < std::min(attempts, kMostAttempts); ++i) {
    stop.now();
    auto sample = attempt(RandomStream(seed, Purpose::kRegimes, item, i), wanted, stop);
    if (sample && fits(*sample)) return sample;
  }
  return {};
}

Sample Task::make(std::uint64_t seed, std::uint64_t index, const StopPoll& stop) const {
  const int wanted = wanted_class(index);
  for (std::uint32_t i = 0; i < kMostAttempts; ++i) {
    stop.now();
    auto sample = attempt(RandomStream(seed, Purpose::kGenerate, index, i), wanted, stop);
    if (!sample) continue;
    sample->id = id_of(index);
    return *std::move(sample);
  }
  const RandomStream last(seed, Purpose::kGenerate, index, kMostAttempts - 1);
  throw UsageError(fmt::format("{}: {}; other parameters are needed", name(),
                               failure(kMostAttempts, last, wanted)));
}

std::string Task::id_of(std::uint64_t index) const { return numbered_id(id_prefix(), index); }

RandomStream Task::shared_by_attempts(const RandomStream& random) {
  return random.of_attempt(kMostAttempts);  // attempts are numbered below
}

std::optional<Sample> Task::answered(Graph graph, int wanted, const StopPoll& stop) const {
  auto found = answer(graph, stop);
  if (!found || found->label != wanted) return {};
  Sample sample;
  sample.label = wanted;
  sample.graph = std::move(graph);
  sample.witness = std::move(found->witness);
  return sample;
}

}  // namespace bermuda
