#include "bermuda/generate/regime.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/generate/task.hpp"
#include "with_settings.hpp"

namespace bermuda {
namespace {

/// An axis without values is one field wide.
template <typename Value>
std::size_t width_of(const std::vector<Value>& values) {
  return std::max<std::size_t>(values.size(), 1);
}

struct AxisText {
  double first;
  double last;
  std::optional<double> step;
};

AxisText parse_axis(std::string_view option, std::string_view text, const char* example) {
  const auto refuse = [&] {
    return UsageError(fmt::format("{}: found {}, expected FROM:TO or FROM:TO:STEP, like {}", option,
                                  in_quotes(text), example));
  };
  std::vector<double> parts;
  for (const std::string_view part : split_fields(text, ':')) {
    const auto number = parse_number<double>(trimmed(part));
    if (!number || !std::isfinite(*number)) throw refuse();
    parts.push_back(*number);
  }
  if (parts.size() > 3) throw refuse();
  AxisText axis{parts[0], parts.size() > 1 ? parts[1] : parts[0], {}};
  if (parts.size() == 3) axis.step = parts[2];
  if (axis.first < 0 || axis.last < axis.first || (axis.step && *axis.step <= 0)) throw refuse();
  return axis;
}

std::vector<double> values_of(const AxisText& axis, double step, std::string_view option) {
  const double count = std::floor((axis.last - axis.first) / step + 1e-9) + 1;
  if (count > static_cast<double>(kMostRegimes)) {
    throw UsageError(fmt::format("{}: more than {} values", option, kMostRegimes));
  }
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(count); ++i) values.push_back(axis.first + step * i);
  return values;
}

}  // namespace

std::string Regime::text() const {
  std::vector<std::string> parts;
  if (nodes) parts.push_back(fmt::format("{} nodes", *nodes));
  if (degree) parts.push_back(fmt::format("mean degree {:g} to {:g}", degree->low, degree->high));
  if (distance) parts.push_back(fmt::format("distance {}", *distance));
  return fmt::format("{}", fmt::join(parts, ", "));
}

double mean_degree(const Graph& graph) {
  if (graph.node_count() == 0) return 0;
  return 2.0 * static_cast<double>(graph.edge_count()) / graph.node_count();
}

Band RegimeGrid::band(std::size_t degree) const {
  return {degrees[degree] - degree_step / 2, degrees[degree] + degree_step / 2};
}

std::vector<Regime> RegimeGrid::regimes() const {
  std::vector<Regime> all;
  for (std::size_t d = 0; d < width_of(distances); ++d) {
    for (std::size_t b = 0; b < width_of(degrees); ++b) {
      for (std::size_t n = 0; n < width_of(nodes); ++n) {
        Regime regime;
        if (!distances.empty()) regime.distance = distances[d];
        if (!degrees.empty()) regime.degree = band(b);
        if (!nodes.empty()) regime.nodes = nodes[n];
        all.push_back(regime);
      }
    }
  }
  return all;
}

std::vector<int> parse_whole_axis(std::string_view option, std::string_view text) {
  constexpr double kUsualFields = 9;
  constexpr int kMostOnAxis = 1'000'000'000;  // which of them can be is the task's to say
  const AxisText axis = parse_axis(option, text, "8:80 or 8:80:4");
  const double step =
      axis.step.value_or(std::max(1.0, std::round((axis.last - axis.first) / kUsualFields)));
  std::vector<int> values;
  for (const double value : values_of(axis, step, option)) {
    if (value != std::round(value)) {
      throw UsageError(
          fmt::format("{}: found {}, expected whole numbers", option, in_quotes(text)));
    }
    if (value > kMostOnAxis) {
      throw UsageError(fmt::format("{}: found {}, expected numbers up to {}", option,
                                   in_quotes(text), kMostOnAxis));
    }
    values.push_back(static_cast<int>(value));
  }
  return values;
}

void parse_degree_axis(std::string_view option, std::string_view text, RegimeGrid& grid) {
  const AxisText axis = parse_axis(option, text, "2:4 or 2:4:0.5");
  grid.degree_step = axis.step.value_or(1);
  grid.degrees = values_of(axis, grid.degree_step, option);
}

void check_axes(const Task& task, const RegimeGrid& grid) {
  const std::vector<std::string> has = task.axes();
  const auto check = [&](bool wanted, const char* axis) {
    if (!wanted || std::ranges::find(has, axis) != has.end()) return;
    throw UsageError(
        fmt::format("{} has no axis {}: {}", task.name(), axis,
                    has.empty() ? "it has none" : fmt::format("it has {}", fmt::join(has, ", "))));
  };
  check(!grid.nodes.empty(), "nodes");
  check(!grid.degrees.empty(), "degree");
  check(!grid.distances.empty(), "distance");
  const std::size_t fields =
      width_of(grid.nodes) * width_of(grid.degrees) * width_of(grid.distances);
  if (grid.nodes.empty() && grid.degrees.empty() && grid.distances.empty()) {
    throw UsageError(fmt::format("no axis: {} has {}", task.name(), fmt::join(has, ", ")));
  }
  if (fields > kMostRegimes) {
    throw UsageError(fmt::format("{} fields, at most {} can be asked", fields, kMostRegimes));
  }
}

std::string NodeRange::text() const { return fmt::format("{}:{}", from, to); }

NodeRange parse_sizes(std::string_view option, std::string_view text) {
  const std::vector<std::string_view> ends = split_fields(text, ':');
  const auto from = parse_number<int>(trimmed(ends.front()));
  const auto to = parse_number<int>(trimmed(ends.back()));
  if (ends.size() > 2 || !from || !to || *from < 1 || *to < *from) {
    throw UsageError(
        fmt::format("{}: found {}, expected FROM:TO, like 20:40", option, in_quotes(text)));
  }
  return {*from, *to};
}

std::unique_ptr<Task> task_of_sizes(const Task& task, const NodeRange& sizes) {
  check_axes(task, {.nodes = {sizes.from}});
  // What a size means differs from task to task; the settings for one size tell.
  return with_settings(
      task, {{"min-nodes", task.settings_for({.nodes = sizes.from}).at(0).at("min-nodes")},
             {"max-nodes", task.settings_for({.nodes = sizes.to}).at(0).at("max-nodes")}});
}

}  // namespace bermuda
