#pragma once

#include <string>
#include <vector>

#include "bermuda/method/evaluation.hpp"

namespace bermuda::app {

/// What stands in a run folder.
inline constexpr const char* kModelFile = "model.bermuda";
inline constexpr const char* kRunFile = "run.json";

/// Accuracy, F1 and the confusion matrix for people.
std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names);

}  // namespace bermuda::app
