#pragma once

#include <string>
#include <vector>

#include "bermuda/verify/definition.hpp"

namespace bermuda::verify {

struct Finding {
  std::string kind;
  std::string detail;
};

struct SampleVerdict {
  bool class_checked = false;
  bool witness_checked = false;
  std::vector<Finding> findings;
};

/// Recounts the class and compares the witness; without a definition only what needs none. A
/// witness is only looked at when the class is right: the other way round it would be a second
/// report of the same fault.
SampleVerdict check_sample(const Sample& sample, const Definition* definition,
                           bool witness_required);

}  // namespace bermuda::verify
