#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bermuda/generate/regime.hpp"
#include "bermuda/method/pair_score.hpp"
#include "bermuda/report/heat_map.hpp"

namespace bermuda {

/// From the smallest to the largest that a model was shown; an axis that is not known is open.
struct TrainedRange {
  std::optional<std::array<int, 2>> nodes = {};
  std::optional<std::array<double, 2>> degree = {};
  std::optional<std::array<int, 2>> distance = {};

  bool is_known() const { return nodes || degree || distance; }
  /// Whether the regime is inside on every axis that both know; bands that overlap are inside.
  bool contains(const Regime& regime) const;
};

/// Of the split "train", or of all graphs where there is none. The task tells distances.
TrainedRange trained_range(const DataSet& data, const Task& task);

/// What was answered in one field.
struct RegimeFigures {
  RegimeCell cell;
  std::array<std::size_t, 2> graphs{};  ///< of each class
  std::array<std::size_t, 2> right{};
  bool trained = false;  ///< within what the model was shown

  std::size_t count() const { return graphs[0] + graphs[1]; }
  double accuracy() const;
};

/// A model asked everywhere.
struct RegimeMap {
  std::string name;    ///< of the column: the run's folder, or what the caller calls it
  std::string method;  ///< empty for what is no method of ours
  std::string task;
  RegimeGrid grid;
  TrainedRange trained;
  std::vector<RegimeFigures> cells;   ///< in the order of RegimeGrid::regimes()
  std::optional<double> relabelling;  ///< share of answers that change when nodes are renumbered
  std::optional<PairScore> twins;     ///< of pairs that agree in what `twins_agree_in` says
  std::string twins_agree_in = {};    ///< "degrees"

  /// Guessing that class makes any figure there.
  bool has_fields_of_one_class() const;
  /// Over the fields inside the trained range, and over those outside; nothing where there are no
  /// graphs or the range is not known. Every field counts the same, and so do the two classes: who
  /// always says one of them is at 50 %, however many fields have it alone.
  std::optional<double> accuracy_inside() const;
  std::optional<double> accuracy_outside() const;
};

/// `labels` are the answers to graphs.data, in its order. Throws Error when they are fewer or more.
RegimeMap measure_regimes(const RegimeGraphs& graphs, const RegimeGrid& grid,
                          std::span<const int> labels, const TrainedRange& trained);

/// One picture per model, or per degree where the grid has all three axes; nodes from left to
/// right, what else differs from bottom to top. All of one grid have the same colours: 50 to 100 %,
/// or 0 to 100 % where fields have one class only and guessing it makes any figure.
std::vector<HeatMap> heat_maps(const RegimeMap& map);

nlohmann::ordered_json to_json(const RegimeMap& map);
/// For a terminal: a table per model.
std::string regimes_text(std::span<const RegimeMap> maps);
/// As one HTML file that fetches nothing, in the style of the report.
std::string regimes_page(std::span<const RegimeMap> maps);

}  // namespace bermuda
