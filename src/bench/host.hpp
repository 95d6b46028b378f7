#pragma once

#include <string>

namespace bermuda {

/// This machine's name; empty when it has none.
std::string host_name();

}  // namespace bermuda
