#pragma once

#include <span>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

inline std::vector<int> labels_of(std::span<const Sample* const> samples) {
  std::vector<int> labels;
  labels.reserve(samples.size());
  for (const Sample* sample : samples) labels.push_back(sample->label);
  return labels;
}

}  // namespace bermuda
