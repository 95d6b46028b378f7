#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/method/method.hpp"
#include "bermuda/method/training_summary.hpp"

namespace bermuda::python {

/// The methods that work inside the user's process. Those of plug-ins are the program's: the neural
/// ones would bring LibTorch with them.
const MethodRegistry& kernel_methods();

/// A fitted method. Never changed once it is made.
struct FittedModel {
  std::unique_ptr<const Method> method;
  std::vector<std::string> class_names;
  std::string report;  ///< JSON; of a run what `bermuda train --json` prints
  std::optional<TrainingSummary> training;
};

}  // namespace bermuda::python
