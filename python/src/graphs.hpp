#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda::python {

/// Some graphs of a data set that Python shares: all of it, a split, or any choice of them. Never
/// changed once it is made, so that any number of threads may look.
struct Graphs {
  std::shared_ptr<const DataSet> data;
  std::vector<const Sample*> samples;

  /// Of all splits, one after the other.
  explicit Graphs(DataSet all);
  Graphs(std::shared_ptr<const DataSet> shared, std::vector<const Sample*> chosen)
      : data(std::move(shared)), samples(std::move(chosen)) {}

  std::size_t size() const { return samples.size(); }
  bool is_whole() const;
  /// Throws UsageError for one that is not there.
  Graphs split(const std::string& name) const;
  /// Negative numbers count from the end. Throws std::out_of_range.
  Graphs choose(std::span<const std::int64_t> places) const;
  /// The data set, where these are all of its graphs; else one with these as its only split, made
  /// in `copy`.
  const DataSet& as_dataset(DataSet& copy) const;
  /// The same for those who look at classes. Throws UsageError for a graph without one.
  const DataSet& as_classified(DataSet& copy) const;
  void check_classes() const;
};

/// One graph, which keeps its data set alive.
struct GraphRef {
  std::shared_ptr<const DataSet> data;
  const Sample* sample;
};

}  // namespace bermuda::python
