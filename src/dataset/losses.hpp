#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// Words what a format other than our own loses of a data set.
class LossList {
 public:
  /// Starts with what all of them lose: how the data set was made.
  explicit LossList(const DataSet& data);

  /// Counts the graphs for which the condition holds: "witnesses of 500 graphs".
  void count(std::string_view what, const std::function<bool(const Sample&)>& condition);
  void add(std::string loss);
  const std::vector<const Sample*>& samples() const { return samples_; }

  /// For formats without a place for them.
  void count_edge_labels();
  void count_witnesses_hits_and_origins();
  /// For formats that number their graphs instead.
  void count_ids_and_splits();

  /// Ends with what all of them lose: the order of the classes, classes and splits without a graph;
  /// with numbers_only also names of classes that are no integers.
  std::vector<std::string> finish(bool numbers_only);

 private:
  const DataSet& data_;
  std::vector<const Sample*> samples_;
  std::vector<std::string> losses_;
};

/// What all graphs of a data set have, for formats that have labels for all graphs or for none.
struct CommonColumns {
  bool node_labels = false;
  bool edge_labels = false;
  int attribute_width = 0;  ///< of all graphs with nodes
};
CommonColumns common_columns(const std::vector<const Sample*>& samples);

}  // namespace bermuda
