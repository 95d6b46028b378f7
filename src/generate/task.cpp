#include "bermuda/generate/task.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "clique_distance.hpp"
#include "triangles.hpp"

namespace bermuda {

const std::vector<TaskInfo>& tasks() {
  static const std::vector<TaskInfo> list = {
      {"triangles", "is there a triangle in this graph?",
       [] { return std::make_unique<TrianglesTask>(); }},
      {"clique-distance", "are these two cliques far apart?",
       [] { return std::make_unique<CliqueDistanceTask>(); }},
  };
  return list;
}

std::unique_ptr<Task> make_task(std::string_view name) {
  std::string known;
  for (const TaskInfo& info : tasks()) {
    if (info.name == name) return info.make();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  throw UsageError(fmt::format("no task named {}; there are: {}", in_quotes(name), known));
}

}  // namespace bermuda
