#pragma once

#include <memory>

#include "bermuda/generate/task.hpp"

namespace bermuda {

/// The task with some of its settings changed. Who asked for that may have named no parameter, so
/// that the UsageError about a value speaks of what the task takes, not of an option.
std::unique_ptr<Task> with_settings(const Task& task, const TaskSettings& changed);

}  // namespace bermuda
