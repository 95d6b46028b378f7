#pragma once

#include <string>
#include <vector>

#include "bermuda/core/stop.hpp"
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
/// witness is only looked at when the class is right: otherwise the same fault would be reported
/// twice.
SampleVerdict check_sample(const Sample& sample, const Definition* definition,
                           bool witness_required, const StopPoll& stop = {});

}  // namespace bermuda::verify
