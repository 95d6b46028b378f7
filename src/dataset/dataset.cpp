#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

std::size_t DataSet::size() const {
  std::size_t count = 0;
  for (const Split& split : splits) count += split.samples.size();
  return count;
}

const Split* DataSet::find(std::string_view split) const {
  for (const Split& candidate : splits) {
    if (candidate.name == split) return &candidate;
  }
  return nullptr;
}

bool DataSet::has_test_split() const { return find("train") != nullptr && find("test") != nullptr; }

std::vector<const Sample*> DataSet::all() const& {
  std::vector<const Sample*> samples;
  samples.reserve(size());
  for (const Split& split : splits) {
    for (const Sample& sample : split.samples) samples.push_back(&sample);
  }
  return samples;
}

std::vector<std::size_t> DataSet::class_counts(const Split& split) const {
  std::vector<std::size_t> counts(class_names.size(), 0);
  for (const Sample& sample : split.samples) {
    if (sample.label != Sample::kNoClass) ++counts.at(static_cast<std::size_t>(sample.label));
  }
  return counts;
}

std::vector<int> labels_of(std::span<const Sample* const> samples) {
  std::vector<int> labels;
  labels.reserve(samples.size());
  for (const Sample* sample : samples) labels.push_back(sample->label);
  return labels;
}

}  // namespace bermuda
