#include "bermuda/generate/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"

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

}  // namespace

// One per task, in its own file.
TaskInfo triangles_task();
TaskInfo clique_distance_task();
TaskInfo cycle_k_task();
TaskInfo clique_k_task();
TaskInfo connected_task();
TaskInfo bridge_task();
TaskInfo bipartite_task();

const std::vector<TaskInfo>& tasks() {
  static const std::vector<TaskInfo> list = {
      triangles_task(), clique_distance_task(), cycle_k_task(),   clique_k_task(),
      connected_task(), bridge_task(),          bipartite_task(),
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
