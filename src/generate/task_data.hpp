#pragma once

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// What a manifest says first of graphs that were made for a task: no graphs yet, no seed.
DataSet data_for(const Task& task);

}  // namespace bermuda
