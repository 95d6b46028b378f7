#include "task_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

constexpr std::array<std::pair<std::string_view, TaskCheck::Kind>, 2> kTasks{
    {{"triangles", TaskCheck::Kind::kTriangles},
     {"clique-distance", TaskCheck::Kind::kCliqueDistance}}};

Recount recount_triangles(const AdjacencyMatrix& matrix) {
  Recount recount;
  const auto triangles = find_triangles(matrix);
  recount.found = counted(triangles.size(), "triangle");
  recount.label = static_cast<int>(triangles.size());
  if (!triangles.empty()) recount.parts.emplace_back(triangles[0].begin(), triangles[0].end());
  return recount;
}

Recount recount_cliques(const AdjacencyMatrix& matrix, const TaskCheck& check) {
  Recount recount;
  // A clique of k + 1 nodes holds k + 1 of k nodes, so that "exactly two" excludes it.
  recount.parts = find_cliques(matrix, check.clique_size, 3);
  const std::string clique =
      fmt::format("clique{} of {} nodes", recount.parts.size() == 1 ? "" : "s", check.clique_size);
  if (recount.parts.size() != 2) {
    recount.found = fmt::format("{}{} {}", recount.parts.size() > 2 ? "at least " : "",
                                recount.parts.size(), clique);
    return recount;
  }
  const std::vector<int>& first = recount.parts[0];
  const std::vector<int>& second = recount.parts[1];
  if (std::ranges::find_first_of(first, second) != first.end()) {
    recount.found = "two cliques that share nodes";
    return recount;
  }
  const std::optional<int> distance = distance_between(matrix, first, second);
  if (!distance) {
    recount.found = "two cliques that no path joins";
    return recount;
  }
  recount.distance = *distance;
  recount.label = *distance < check.threshold ? 0 : 1;
  recount.found = fmt::format("cliques at distance {}", *distance);
  return recount;
}

std::string expected_in_words(int label, const TaskCheck& check) {
  if (check.kind == TaskCheck::Kind::kTriangles) {
    return counted(static_cast<std::size_t>(std::max(label, 0)), "triangle");
  }
  return fmt::format("two disjoint cliques of {} nodes at distance {} {}", check.clique_size,
                     label == 0 ? "below" : "of at least", check.threshold);
}

}  // namespace

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

bool is_known_task(std::string_view name) {
  return std::ranges::any_of(kTasks, [&](const auto& task) { return task.first == name; });
}

TaskCheck::Kind kind_named(std::string_view name) {
  for (const auto& [known, kind] : kTasks) {
    if (known == name) return kind;
  }
  return TaskCheck::Kind::kNone;
}

std::string known_tasks() {
  std::vector<std::string_view> names;
  for (const auto& [name, kind] : kTasks) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

SampleVerdict check_sample(const Sample& sample, const TaskCheck& check) {
  SampleVerdict verdict;
  const auto report = [&](const char* kind, std::string detail) {
    verdict.findings.push_back({kind, std::move(detail)});
  };
  Recount recount;
  if (check.kind != TaskCheck::Kind::kNone) {
    if (sample.graph.node_count() > AdjacencyMatrix::kMostNodes) {
      report("class", fmt::format("{} nodes are too many to recount, expected at most {}",
                                  sample.graph.node_count(), AdjacencyMatrix::kMostNodes));
      return verdict;
    }
    const AdjacencyMatrix matrix(sample.graph);
    recount = check.kind == TaskCheck::Kind::kTriangles ? recount_triangles(matrix)
                                                        : recount_cliques(matrix, check);
    verdict.class_checked = true;
    if (recount.label != sample.label) {
      report("class", fmt::format("found {}, expected {} in class {}", recount.found,
                                  expected_in_words(sample.label, check), sample.label));
      return verdict;
    }
  }
  verdict.witness_checked = !sample.witness.empty();
  if (sample.witness.empty() && !recount.parts.empty()) {
    if (check.witness_required) report("witness", "found none, expected one in this class");
    return verdict;
  }
  std::optional<std::string> fault = fault_in_form(sample);
  if (!fault && check.kind != TaskCheck::Kind::kNone) {
    fault = fault_in_content(sample.witness, recount, check);
  }
  if (fault) report("witness", *std::move(fault));
  return verdict;
}

}  // namespace bermuda::verify
