#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/report/collect.hpp"

namespace bermuda {

/// A run under the names that the tables give its method and its data.
struct NamedRun {
  std::string row;
  std::string data;
  const RunRecord* run = nullptr;
  std::string taken_from = {};  ///< the column whose run it is; empty: its own
};

/// Each run that stands in a table, once for each data set, in the order of the tables. Where two
/// grids call different things by one name, those of the later grid carry its name.
std::vector<NamedRun> named_runs(const Records& records);

/// A data set of the report with the graphs that were tested on.
struct TestedData {
  std::string name;  ///< as the tables call it
  DataRecord record;
  std::vector<Sample> graphs;
  /// Done runs by method, in the order of the tables.
  std::vector<std::pair<std::string, std::vector<const RunRecord*>>> methods;
  /// Node labels that its graphs have, each with its colour in drawings; -1 for those that are too
  /// rare for one of their own. Empty where no graph has labels.
  std::map<int, int> label_colours = {};
};

/// Colours for the labels that most nodes have.
std::map<int, int> colours_of_labels(const std::vector<Sample>& graphs);

std::vector<TestedData> tested_data(const Store& store, const std::vector<NamedRun>& runs);

/// Draws a graph once, however often it is shown.
class Drawer {
 public:
  /// Layouts of larger graphs take long and show nothing.
  static constexpr int kMostNodes = 100;
  std::string draw(const TestedData& data, std::size_t place);

 private:
  std::map<std::pair<std::int64_t, std::size_t>, std::string> drawn_;
};

nlohmann::ordered_json breakdowns_json(const TestedData& data);
nlohmann::ordered_json gallery_json(const TestedData& data, std::size_t most, Drawer& drawer,
                                    const Execution& execution);
nlohmann::ordered_json data_card(const TestedData& data, Drawer& drawer);

}  // namespace bermuda
