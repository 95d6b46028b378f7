#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// One graph of a data set, with its class where that is known.
struct Sample {
  static constexpr int kNoHits = -1;
  static constexpr int kNoClass = -1;

  std::string id;
  int label = 0;  ///< class, an index into DataSet::class_names, or kNoClass
  Graph graph;
  Witness witness;
  int hits = kNoHits;  ///< how often the undermanned classifier was right and confident (filter)
  std::string origin;  ///< what it was made from, e.g. "knn4" or "m2"; empty when unknown

  bool operator==(const Sample&) const = default;
};

struct Split {
  std::string name;  ///< "train", "valid", "test", or "all" where there are no splits
  std::vector<Sample> samples;
  bool operator==(const Split&) const = default;
};

/// Whatever was read from, or will be written to, one of the formats of FORMATS.md.
struct DataSet {
  std::string name;                      ///< of the folder or the TU prefix
  std::vector<std::string> class_names;  ///< as the source wrote them: "0", "1" or "-1", "1"
  std::vector<Split> splits;
  /// How it was made: task, parameters, seed, filter figures. Goes into the manifest as it is;
  /// empty object for foreign data.
  nlohmann::ordered_json provenance = nlohmann::ordered_json::object();

  std::size_t size() const;
  const Split* find(std::string_view split) const;
  /// Has splits "train" and "test": the first is learned from, the other is left for the end.
  bool has_test_split() const;
  /// Pointers to all samples, splits one after the other. Not of a temporary: they would dangle.
  std::vector<const Sample*> all() const&;
  std::vector<const Sample*> all() const&& = delete;
  /// counts[c] = samples of class c in the split; those without a class are not counted.
  std::vector<std::size_t> class_counts(const Split& split) const;
};

std::vector<int> labels_of(std::span<const Sample* const> samples);

}  // namespace bermuda
