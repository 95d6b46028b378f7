#pragma once

#include <functional>
#include <string>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// Calls `work` in a child process and returns what it returned. For libraries that cannot be
/// interrupted, on input that keeps them busy for long: when the user asks to stop, the child is
/// ended and Interrupted thrown. A child that crashes is an Error, not our end. What `work` throws
/// is thrown here: UsageError and Error as they are.
///
/// The child has the memory of this process as it was, one thread, and must touch nothing that
/// others share with it but to read.
std::string run_in_child(const StopPoll& stop, const std::function<std::string()>& work);

}  // namespace bermuda
