#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda::python {

/// The methods that work inside the user's process. Those of plug-ins are the program's: the neural
/// ones would bring LibTorch with them.
const MethodRegistry& kernel_methods();

/// A fitted method. Never changed once it is made.
struct FittedModel {
  std::unique_ptr<const Method> method;
  std::vector<std::string> class_names;
  std::string report;  ///< JSON; of a run what `bermuda train --json` prints
};

}  // namespace bermuda::python
