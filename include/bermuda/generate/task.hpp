#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// A question about topology with a generator of graphs for it.
class Task : public Configurable {
 public:
  virtual std::string_view name() const = 0;
  /// Checks settings against each other, after any was changed; throws UsageError.
  virtual void validate() const = 0;
  /// What each class means, in words; index = class.
  virtual std::vector<std::string> class_meanings() const = 0;
  /// Graph number `index`: a pure function of (settings, seed, index). Throws UsageError when the
  /// settings make the class impossible to reach.
  virtual Sample make(std::uint64_t seed, std::uint64_t index) const = 0;
};

struct TaskInfo {
  std::string_view name;
  std::string_view summary;
  std::function<std::unique_ptr<Task>()> make;
};

/// The list of tasks, in the order they are shown.
const std::vector<TaskInfo>& tasks();
/// Throws UsageError that lists the tasks when there is none of this name.
std::unique_ptr<Task> make_task(std::string_view name);

/// The class that graph number `index` must have. Neighbours alternate, so that every even count is
/// balanced exactly; every ten graphs the parity flips, so that the folds of the filter (index mod
/// 10) hold both classes.
constexpr int wanted_class(std::uint64_t index) {
  return static_cast<int>((index + index / 10) % 2);
}

/// `count` candidates (an even number: classes are balanced exactly) as one split "all".
/// Bytes do not depend on the number of threads.
DataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                            const Execution& execution);

}  // namespace bermuda
