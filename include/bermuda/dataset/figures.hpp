#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// Counts over the samples of a split. They add up: those of two parts, merged, are those of both
/// together, whoever counted.
struct SplitFigures {
  std::string name;
  std::size_t graphs = 0;
  std::vector<std::size_t> classes;  ///< graphs of each class
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  int min_nodes = 0;  ///< of the smallest graph, 0 when there is none
  int max_nodes = 0;
  std::set<int> node_labels;
  std::set<int> edge_labels;
  std::size_t witnesses = 0;
  std::map<std::string, std::size_t> origins;
  std::map<int, std::size_t> hits;

  std::size_t without_class() const;
  double mean_nodes() const;
  double mean_edges() const;
  void add(const Sample& sample);
  void merge(const SplitFigures& other);

  nlohmann::json to_json() const;
  static SplitFigures from_json(const nlohmann::json& json);
  bool operator==(const SplitFigures&) const = default;
};

SplitFigures figures_of(const Split& split, std::size_t class_count);

/// What there is to say about a data set without its graphs.
struct DataSetFigures {
  std::string name;
  std::vector<std::string> class_names;
  std::vector<SplitFigures> splits;
  nlohmann::ordered_json provenance = nlohmann::ordered_json::object();

  std::size_t graphs() const;
};

DataSetFigures figures_of(const DataSet& data);

}  // namespace bermuda
