#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// One thing that is wrong with a data set.
struct Problem {
  std::string split;   ///< empty when it concerns the whole data set
  std::string id;      ///< of the graph; empty when it concerns a split
  std::string kind;    ///< "class", "witness", "balance", "duplicate-id", "isomorph-across-splits",
                       ///< "checksum", "manifest", "structure", "pair"
  std::string detail;  ///< a sentence: what was found, what was expected
};

struct VerifyOptions {
  /// Which task's definition to check classes and witnesses by. Default: what the provenance says;
  /// data that names no task is checked for structure only.
  std::optional<std::string> task;
  /// Of that definition, by name and as text: {"threshold", "3"}. They come before what the
  /// provenance says; those that only other tasks have are passed over.
  std::map<std::string, std::string> settings;
};

struct VerifyReport {
  std::string task;  ///< empty when the data set names none
  std::size_t graphs = 0;
  std::size_t classes_checked = 0;    ///< graphs whose class was recounted
  std::size_t witnesses_checked = 0;  ///< graphs whose witness was checked
  std::size_t isomorphs_within = 0;   ///< graphs with an isomorphic twin earlier in their own split
  std::size_t isomorphs_across = 0;   ///< graphs with a twin in an earlier split
  std::size_t pairs_checked = 0;      ///< twins that were compared (`bermuda pairs`)
  bool isomorphs_allowed = false;     ///< what the provenance says
  std::vector<Problem> problems;
};

/// Checks a data set by brute force, sharing no code with the generators: every class is recounted
/// on an adjacency matrix, every witness is checked edge by edge, classes of each split are
/// balanced, ids are unique, no graph stands in two splits (as canonical form). Twins of a data set
/// of pairs stand in order, have different classes and agree in what the manifest says.
VerifyReport verify_dataset(const DataSet& data, const VerifyOptions& options,
                            const Execution& execution);

}  // namespace bermuda
