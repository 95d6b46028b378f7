#pragma once

#include <string>
#include <vector>

#include "bermuda/run/folder.hpp"

namespace bermuda::app {

/// Accuracy, F1 and the confusion matrix for people.
std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names);

/// A finished run, for people.
std::string run_text(const FinishedRun& run);

}  // namespace bermuda::app
