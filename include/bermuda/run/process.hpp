#pragma once

#include <string>

namespace bermuda {

/// This machine's name; empty when it has none.
std::string host_name();

/// The processor time of all threads of this process, and of the programs that it ran and that
/// have ended.
double process_cpu_seconds();

}  // namespace bermuda
