#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda::verify {

/// Which definition a data set is checked by.
struct TaskCheck {
  enum class Kind { kNone, kTriangles, kCliqueDistance };

  Kind kind = Kind::kNone;
  int clique_size = 4;
  int threshold = 4;
  bool witness_required = false;  ///< our own generators always give one
};

bool is_known_task(std::string_view name);
/// kNone for a name that is not a task.
TaskCheck::Kind kind_named(std::string_view name);
std::string known_tasks();

/// "1 triangle", "2 triangles".
std::string counted(std::size_t count, std::string_view thing);

struct Finding {
  std::string kind;
  std::string detail;
};

struct SampleVerdict {
  bool class_checked = false;
  bool witness_checked = false;
  std::vector<Finding> findings;
};

/// Recounts the class and compares the witness. A witness is only looked at when the class is
/// right: the other way round it would be a second report of the same fault.
SampleVerdict check_sample(const Sample& sample, const TaskCheck& check);

}  // namespace bermuda::verify
