#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/generate/regime.hpp"
#include "bermuda/generate/task.hpp"
#include "task_data.hpp"
#include "with_settings.hpp"

namespace bermuda {
namespace {

constexpr std::uint32_t kMostTries = 20000;  // at one graph
constexpr std::uint32_t kPilotTries = 50;
constexpr std::uint64_t kPilotGraphs = 16;
constexpr std::uint64_t kFewPilots = 4;  // that fail: the settings do not lead there
constexpr std::uint64_t kProbes = 4;     // of a class, before a field is given up
// Items of the streams: graphs are numbered from 0, pilots and probes far behind.
constexpr std::uint64_t kPilotItems = std::uint64_t{1} << 30;
constexpr std::uint64_t kProbeItems = kPilotItems + (std::uint64_t{1} << 29);

/// From the smallest to the largest of what was seen.
struct SeenRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::string text() const {
    return low == high ? fmt::format("{:.3g}", low) : fmt::format("{:.3g} to {:.3g}", low, high);
  }
};

/// What the task's graphs turned out to be like where they did not fit.
struct Misses {
  SeenRange nodes;
  SeenRange degree;
  SeenRange distance;
  bool any = false;
};

bool fits_regime(const Regime& regime, const Task& task, const Sample& sample, Misses* misses) {
  const int nodes = sample.graph.node_count();
  const double degree = mean_degree(sample.graph);
  constexpr int kUnknown = -1;
  const int distance = regime.distance ? task.distance_in(sample).value_or(kUnknown) : kUnknown;
  const bool good = (!regime.nodes || nodes == *regime.nodes) &&
                    (!regime.degree || regime.degree->contains(degree)) &&
                    (!regime.distance || distance == *regime.distance);
  if (!good && misses != nullptr) {
    misses->any = true;
    misses->nodes.add(nodes);
    misses->degree.add(degree);
    if (distance != kUnknown) misses->distance.add(distance);
  }
  return good;
}

std::uint64_t first_item(const Regime& regime) {
  constexpr std::size_t kDigits = 8;
  return std::stoull(sha256(regime.text()).substr(0, kDigits), nullptr, 16) << 32;
}

/// A field while it is being prepared.
struct PreparedField {
  std::unique_ptr<Task> task;
  std::array<bool, 2> possible{};
  std::string empty_because;

  int wanted(std::uint64_t index) const {
    if (possible[0] != possible[1]) return possible[1] ? 1 : 0;
    return static_cast<int>(index % 2);
  }
};

struct Pilot {
  double share = 0;  // of attempts that gave a graph which fits
  double degree = 0;
};

/// Distances are left to later: settings do not lead to them, and where they are rare a few graphs
/// tell nothing.
Pilot fly(const Task& task, const Regime& wanted, std::uint64_t seed, Misses& misses,
          const StopPoll& stop) {
  const std::optional<int> only = task.class_in(wanted);
  Regime regime = wanted;
  regime.distance.reset();
  std::size_t tried = 0;
  std::size_t made = 0;
  double degrees = 0;
  for (std::uint64_t i = 0; i < kPilotGraphs && (made > 0 || i < kFewPilots); ++i) {
    std::uint32_t rejected = 0;
    const auto sample = task.make_fitting(
        seed, first_item(wanted) + kPilotItems + i, only.value_or(static_cast<int>(i % 2)),
        kPilotTries,
        [&](const Sample& one) {
          const bool good = fits_regime(regime, task, one, &misses);
          rejected += good ? 0 : 1;
          return good;
        },
        stop);
    tried += rejected + (sample ? 1 : 0);
    if (!sample) continue;
    ++made;
    degrees += mean_degree(sample->graph);
  }
  if (made == 0) return {};
  return {static_cast<double>(made) / static_cast<double>(tried),
          degrees / static_cast<double>(made)};
}

std::string why_empty(const Regime& regime, const Misses& misses, std::size_t attempts) {
  std::string text = fmt::format("no graph with {} in {} attempts", regime.text(), attempts);
  if (!misses.any) return text;
  text += fmt::format("; those made had {} nodes and mean degree {}", misses.nodes.text(),
                      misses.degree.text());
  if (std::isfinite(misses.distance.low)) text += ", distance " + misses.distance.text();
  return text;
}

/// Of the settings that lead there, those whose graphs come nearest without being rare.
PreparedField prepare_field(const Task& task, const Regime& regime, std::uint64_t seed,
                            const StopPoll& stop) {
  PreparedField prepared;
  std::vector<std::unique_ptr<Task>> options;
  try {
    for (const TaskSettings& settings : task.settings_for(regime)) {
      try {
        options.push_back(with_settings(task, settings));
      } catch (const UsageError& error) {
        prepared.empty_because = error.what();
      }
    }
  } catch (const UsageError& error) {
    prepared.empty_because = error.what();
  }
  if (options.empty()) return prepared;
  prepared.empty_because.clear();

  Misses misses;
  std::size_t best = 0;
  if (options.size() > 1) {
    constexpr double kRare = 0.25;
    std::vector<Pilot> pilots;
    for (const auto& option : options) pilots.push_back(fly(*option, regime, seed, misses, stop));
    const double most = std::ranges::max(pilots, {}, &Pilot::share).share;
    double nearest = std::numeric_limits<double>::infinity();
    const double middle = regime.degree ? regime.degree->middle() : 0;
    for (std::size_t i = 0; i < pilots.size(); ++i) {
      const double away = std::abs(pilots[i].degree - middle);
      if (pilots[i].share < kRare * most || away >= nearest) continue;
      nearest = away;
      best = i;
    }
    if (most == 0) {
      prepared.empty_because = why_empty(regime, misses, options.size() * kFewPilots * kPilotTries);
      return prepared;
    }
  }
  prepared.task = std::move(options[best]);

  const std::optional<int> only = task.class_in(regime);
  for (int label = 0; label < 2; ++label) {
    if (only.value_or(label) != label) continue;
    std::uint64_t made = 0;
    for (std::uint64_t i = 0; i < kProbes && made == i; ++i) {
      const auto good = [&](const Sample& one) {
        return fits_regime(regime, *prepared.task, one, &misses);
      };
      const std::uint64_t item =
          first_item(regime) + kProbeItems + 2 * i + static_cast<std::uint64_t>(label);
      made += prepared.task->make_fitting(seed, item, label, kMostTries, good, stop) ? 1U : 0U;
    }
    prepared.possible[static_cast<std::size_t>(label)] = made == kProbes;
  }
  if (!prepared.possible[0] && !prepared.possible[1]) {
    prepared.empty_because = why_empty(regime, misses, kMostTries);
  }
  return prepared;
}

}  // namespace

RegimeGraphs make_regime_graphs(const Task& task, const RegimeGrid& grid, std::uint64_t seed,
                                std::size_t count, const Execution& execution) {
  check_axes(task, grid);
  task.validate();
  const std::vector<Regime> regimes = grid.regimes();
  const StopPoll stop(execution);
  std::vector<PreparedField> prepared(regimes.size());
  std::vector<std::optional<Sample>> made(regimes.size() * count);
  {
    const Stage stage(execution, "prepare regimes", regimes.size());
    parallel_for(execution, regimes.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        prepared[i] = prepare_field(task, regimes[i], seed, stop);
      stage.advance(end - begin);
    });
  }
  {
    constexpr std::size_t kGraphsAtOnce = 16;
    const Stage stage(execution, "generate", made.size());
    parallel_for(execution, made.size(), kGraphsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const PreparedField& there = prepared[i / count];
        if (!there.empty_because.empty()) continue;
        const Regime& regime = regimes[i / count];
        const std::uint64_t index = i % count;
        made[i] = there.task->make_fitting(
            seed, first_item(regime) + index, there.wanted(index), kMostTries,
            [&](const Sample& one) { return fits_regime(regime, *there.task, one, nullptr); },
            stop);
      }
      stage.advance(end - begin);
    });
  }

  RegimeGraphs graphs;
  graphs.data = data_for(task);
  graphs.data.name = fmt::format("{}-regimes", task.name());
  graphs.data.provenance["seed"] = seed;
  std::vector<Sample>& samples = graphs.data.splits.emplace_back(Split{"all", {}}).samples;
  for (std::size_t c = 0; c < regimes.size(); ++c) {
    RegimeCell cell{.regime = regimes[c], .begin = samples.size()};
    cell.empty_because = prepared[c].empty_because;
    double degrees = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::optional<Sample>& sample = made[c * count + i];
      if (!sample) continue;
      sample->id = fmt::format("R{}-{}", c, i);
      degrees += mean_degree(sample->graph);
      samples.push_back(*std::move(sample));
    }
    cell.end = samples.size();
    if (cell.end > cell.begin)
      cell.mean_degree = degrees / static_cast<double>(cell.end - cell.begin);
    graphs.cells.push_back(std::move(cell));
  }
  return graphs;
}

}  // namespace bermuda
