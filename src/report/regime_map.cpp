#include "bermuda/report/regime_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/statistics/intervals.hpp"

namespace bermuda {
namespace {

double rounded_share(double value) { return std::round(value * 1e6) / 1e6; }

std::optional<double> mean_accuracy(const RegimeMap& map, bool trained) {
  if (!map.trained.is_known()) return {};
  double sum = 0;
  int classes = 0;
  for (const std::size_t label : {0U, 1U}) {
    double right = 0;
    std::size_t fields = 0;
    for (const RegimeFigures& figures : map.cells) {
      if (figures.graphs[label] == 0 || figures.trained != trained) continue;
      right +=
          static_cast<double>(figures.right[label]) / static_cast<double>(figures.graphs[label]);
      ++fields;
    }
    if (fields == 0) continue;
    sum += right / static_cast<double>(fields);
    ++classes;
  }
  if (classes == 0) return {};
  return sum / classes;
}

nlohmann::ordered_json regime_json(const Regime& regime) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (regime.nodes) json["nodes"] = *regime.nodes;
  if (regime.degree) json["degree"] = {regime.degree->low, regime.degree->high};
  if (regime.distance) json["distance"] = *regime.distance;
  return json;
}

nlohmann::ordered_json trained_json(const TrainedRange& trained) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (trained.nodes) json["nodes"] = *trained.nodes;
  if (trained.degree) json["degree"] = *trained.degree;
  if (trained.distance) json["distance"] = *trained.distance;
  return json;
}

}  // namespace

bool TrainedRange::contains(const Regime& regime) const {
  if (!is_known()) return false;
  const auto outside = [](const auto& range, const auto& value) {
    return range && value && (*value < (*range)[0] || *value > (*range)[1]);
  };
  if (regime.distance && !distance) return false;  // most distances are rare
  if (outside(nodes, regime.nodes) || outside(distance, regime.distance)) return false;
  return !degree || !regime.degree ||
         (regime.degree->high > (*degree)[0] && regime.degree->low <= (*degree)[1]);
}

TrainedRange trained_range(const DataSet& data, const Task& task) {
  const auto widen = [](auto& place, auto value) {
    if (!place) place = {value, value};
    (*place)[0] = std::min((*place)[0], value);
    (*place)[1] = std::max((*place)[1], value);
  };
  TrainedRange range;
  const bool all = data.find("train") == nullptr;
  for (const Split& split : data.splits) {
    if (!all && split.name != "train") continue;
    for (const Sample& sample : split.samples) {
      widen(range.nodes, sample.graph.node_count());
      widen(range.degree, mean_degree(sample.graph));
      if (sample.witness.edges.empty()) continue;
      if (const auto distance = task.distance_in(sample)) widen(range.distance, *distance);
    }
  }
  return range;
}

double RegimeFigures::accuracy() const {
  return count() == 0 ? 0 : static_cast<double>(right[0] + right[1]) / static_cast<double>(count());
}

bool RegimeMap::has_fields_of_one_class() const {
  return std::ranges::any_of(cells, [](const RegimeFigures& figures) {
    return figures.count() > 0 && (figures.graphs[0] == 0 || figures.graphs[1] == 0);
  });
}

std::optional<double> RegimeMap::accuracy_inside() const { return mean_accuracy(*this, true); }
std::optional<double> RegimeMap::accuracy_outside() const { return mean_accuracy(*this, false); }

RegimeMap measure_regimes(const RegimeGraphs& graphs, const RegimeGrid& grid,
                          std::span<const int> labels, const TrainedRange& trained) {
  const std::vector<Sample>& samples = graphs.data.splits.at(0).samples;
  if (labels.size() != samples.size()) {
    throw Error(fmt::format("{} answers to {} graphs", labels.size(), samples.size()));
  }
  RegimeMap map;
  map.task = graphs.data.provenance.value("task", "");
  map.grid = grid;
  map.trained = trained;
  for (const RegimeCell& cell : graphs.cells) {
    RegimeFigures figures{.cell = cell};
    figures.trained = trained.contains(cell.regime);
    for (std::size_t i = cell.begin; i < cell.end; ++i) {
      const auto truth = static_cast<std::size_t>(samples[i].label);
      ++figures.graphs.at(truth);
      if (labels[i] == samples[i].label) ++figures.right[truth];
    }
    map.cells.push_back(std::move(figures));
  }
  return map;
}

nlohmann::ordered_json to_json(const RegimeMap& map) {
  using Json = nlohmann::ordered_json;
  Json json = {{"name", map.name}, {"method", map.method}, {"task", map.task}};
  json["axes"] = {{"nodes", map.grid.nodes},
                  {"degree", map.grid.degrees},
                  {"degree_step", map.grid.degree_step},
                  {"distance", map.grid.distances}};
  json["trained"] = trained_json(map.trained);
  const auto share = [](const std::optional<double>& value) {
    return value ? Json(rounded_share(*value)) : Json();
  };
  json["accuracy_inside"] = share(map.accuracy_inside());
  json["accuracy_outside"] = share(map.accuracy_outside());
  json["relabelling_sensitivity"] = share(map.relabelling);
  json["twins"] = map.twins ? map.twins->to_json() : Json();
  if (map.twins) json["twins"]["same"] = map.twins_agree_in;
  json["cells"] = Json::array();
  for (const RegimeFigures& figures : map.cells) {
    Json cell = regime_json(figures.cell.regime);
    cell["graphs"] = figures.count();
    cell["trained"] = figures.trained;
    if (figures.count() == 0) {
      cell["empty_because"] = figures.cell.empty_because;
    } else {
      const Interval interval =
          wilson_interval(figures.right[0] + figures.right[1], figures.count());
      cell["accuracy"] = rounded_share(figures.accuracy());
      cell["interval"] = {rounded_share(interval.low), rounded_share(interval.high)};
      cell["graphs_by_class"] = figures.graphs;
      cell["right_by_class"] = figures.right;
      cell["mean_degree"] = rounded_share(figures.cell.mean_degree);
    }
    json["cells"].push_back(std::move(cell));
  }
  return json;
}

}  // namespace bermuda
