#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda::app {

/// All methods that the program knows.
const MethodRegistry& methods();

}  // namespace bermuda::app
