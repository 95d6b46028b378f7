#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda {

/// Adds svm-wl, svm-graphlet, svm-graphlet-exact and svm-labels.
void register_kernel_methods(MethodRegistry& registry);

}  // namespace bermuda
