#pragma once

#include <string>
#include <vector>

#include "bermuda/dataset/pairs.hpp"

namespace bermuda {

/// Two graphs that shall be told apart.
struct GraphPair {
  const Sample* first = nullptr;
  const Sample* second = nullptr;
  int category = 0;  ///< place in GraphPairs::categories
};

/// The pairs of a data set, which must outlive them.
struct GraphPairs {
  std::vector<std::string> categories;
  std::vector<GraphPair> pairs;
};

/// Twins follow each other, with ids that end in -a and -b and agree before that. Categories are
/// those that a file of pairs names; else there is one. Throws UsageError that names the graph when
/// the data is not made so.
GraphPairs pairs_of(const DataSet& data);
GraphPairs pairs_of(const DataSet&& data) = delete;

}  // namespace bermuda
