#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// What the graphs were like that a model learned from. It is kept with the model, so that whoever
/// asks about other graphs is told what the model was never shown.
struct TrainingSummary {
  std::string task;  ///< that the graphs were made for; empty when their data does not say
  std::size_t graphs = 0;
  int min_nodes = 0;
  int max_nodes = 0;
  double mean_nodes = 0;
  double mean_edges = 0;
  std::set<int> node_labels;
  std::set<int> edge_labels;
  int attribute_width = 0;  ///< the largest of any graph
  /// Smallest and largest mean degree of a graph; older files do not have them.
  std::optional<double> min_degree;
  std::optional<double> max_degree;
  /// Of the task, by key; empty when the data does not say.
  nlohmann::ordered_json parameters = nlohmann::ordered_json::object();

  bool operator==(const TrainingSummary&) const = default;
};

/// `data` is where the graphs come from.
TrainingSummary summarise_training(Samples train, const DataSet& data);

nlohmann::ordered_json to_json(const TrainingSummary& summary);
/// Throws JsonError or an exception of nlohmann's for anything that to_json() does not write.
TrainingSummary training_summary_of(const nlohmann::ordered_json& json);

/// What the model was not prepared for, one sentence each, with counts: labels that training never
/// saw or that are missing, other attributes, another task, a tenth or more of the graphs larger or
/// smaller than any of training. Empty when all is as it was.
std::vector<std::string> unlike_training(const TrainingSummary& training, Samples asked,
                                         const DataSet& data);

}  // namespace bermuda
