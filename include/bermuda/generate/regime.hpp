#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

class Task;
using TaskSettings = std::map<std::string, std::string>;  ///< by name, as Parameter::set() wants it

/// Low included, high not.
struct Band {
  double low = 0;
  double high = 0;
  double middle() const { return (low + high) / 2; }
  bool contains(double value) const { return value >= low && value < high; }
  bool operator==(const Band&) const = default;
};

/// What graphs are to be like; what is left open is as the task's settings have it.
struct Regime {
  std::optional<int> nodes = {};    ///< of the whole graph
  std::optional<Band> degree = {};  ///< mean over its nodes
  std::optional<int> distance = {};

  std::string text() const;  ///< "24 nodes, mean degree 1.5 to 2.5, distance 4"
  bool operator==(const Regime&) const = default;
};

double mean_degree(const Graph& graph);

/// All regimes of a map: every value of an axis with every value of the others. An axis without
/// values is left as the task has it.
struct RegimeGrid {
  std::vector<int> nodes = {};
  std::vector<double> degrees = {};  ///< the middles of bands that touch
  double degree_step = 1;
  std::vector<int> distances = {};

  Band band(std::size_t degree) const;
  /// Distances outermost, then degrees, then nodes.
  std::vector<Regime> regimes() const;
};

/// "8:80", "8:80:4" or "8": values from the first on, up to the last. Without a step about ten,
/// of whole numbers at least 1 apart. Throws UsageError that names the option.
std::vector<int> parse_whole_axis(std::string_view option, std::string_view text);
/// The same for degrees, whose step is 1 where none is told: sets degrees and degree_step.
void parse_degree_axis(std::string_view option, std::string_view text, RegimeGrid& grid);

/// The most fields of a map.
inline constexpr std::size_t kMostRegimes = 10'000;

/// Throws UsageError unless the task has all axes of the grid, the grid has one at least and no
/// more than kMostRegimes fields; the message names the axes that the task has.
void check_axes(const Task& task, const RegimeGrid& grid);

/// One field of a map and where its graphs are.
struct RegimeCell {
  Regime regime;
  std::size_t begin = 0;  ///< its graphs, in RegimeGraphs::data
  std::size_t end = 0;
  double mean_degree = 0;          ///< that was reached
  std::string empty_because = {};  ///< why there are no graphs
};

struct RegimeGraphs {
  DataSet data;  ///< one split "all": the graphs of the cells, one after the other
  std::vector<RegimeCell> cells;
};

/// Fresh graphs of every regime, `count` each, classes in turn where both can be made. The graphs
/// of a regime follow from (settings, seed, regime) alone, whatever else is in the grid, and come
/// from streams of their own: none was generated for training. Where the settings that lead to a
/// regime are several, those are taken whose graphs are nearest to its middle; graphs that are
/// elsewhere are passed over. A regime of which too few attempts succeed stays empty and says why.
RegimeGraphs make_regime_graphs(const Task& task, const RegimeGrid& grid, std::uint64_t seed,
                                std::size_t count, const Execution& execution);

/// How many nodes graphs may have, both included.
struct NodeRange {
  int from = 0;
  int to = 0;
  std::string text() const;  ///< "20:40"
  bool operator==(const NodeRange&) const = default;
};
/// "20:40". Throws UsageError that names the option.
NodeRange parse_sizes(std::string_view option, std::string_view text);

/// The task with settings for graphs of these sizes. Throws UsageError for a task that has no such
/// axis, or that cannot.
std::unique_ptr<Task> task_of_sizes(const Task& task, const NodeRange& sizes);

}  // namespace bermuda
