#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/parameter.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/generate/regime.hpp"

namespace bermuda {

/// What a task says of a graph.
struct TaskAnswer {
  int label = 0;
  Witness witness;  ///< what proves it; empty where nothing can
};

/// A question about topology with a generator of graphs for it.
class Task : public Configurable {
 public:
  virtual std::string_view name() const = 0;
  /// Checks settings against each other, after any was changed; throws UsageError.
  virtual void validate() const = 0;
  /// What each class means, in words; index = class.
  virtual std::vector<std::string> class_meanings() const = 0;
  /// Whether its graphs are so few, up to their numbering, that splits without a graph in common
  /// could not be filled: then isomorphic graphs may stand in several, and the manifest says so.
  virtual bool has_few_graphs() const { return false; }
  /// Whether its classes differ in the number of connected components: then twins must, too.
  virtual bool tells_components() const { return false; }

  /// Graph number `index`: a pure function of (settings, seed, index). Throws UsageError when the
  /// settings make the class impossible to reach.
  Sample make(std::uint64_t seed, std::uint64_t index, const StopPoll& stop = {}) const;
  /// What it is called: "TR0000042".
  std::string id_of(std::uint64_t index) const;

  /// The class of a graph, whoever made it; nothing when it is of none. Of settings only those
  /// count that the classes' meaning depends on.
  virtual std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop = {}) const = 0;

  /// Along which axes its graphs can be asked for, of "nodes", "degree" and "distance"; by default
  /// those whose parameters it has (min-nodes and max-nodes, min-degree and max-degree).
  virtual std::vector<std::string> axes() const;
  /// Settings, by name, that lead into a regime or near it: each entry is one thing to try. Whoever
  /// calls it passes over graphs that are elsewhere. Throws UsageError for an axis it lacks.
  virtual std::vector<TaskSettings> settings_for(const Regime& regime) const;
  /// The only class that graphs of a regime can have; nothing where they have either.
  virtual std::optional<int> class_in(const Regime& /*regime*/) const { return {}; }
  /// Of a graph that it made, the distance it asks for; nothing for tasks without that axis.
  virtual std::optional<int> distance_in(const Sample& /*sample*/) const { return {}; }

  /// Item number `item` of the streams for regimes: a graph of the wanted class that fits; nothing
  /// when so many attempts gave none. Pure, as make(), and never one of its graphs.
  std::optional<Sample> make_fitting(std::uint64_t seed, std::uint64_t item, int wanted,
                                     std::uint32_t attempts,
                                     const std::function<bool(const Sample&)>& fits,
                                     const StopPoll& stop) const;

 protected:
  /// What the ids of its graphs start with: "TR".
  virtual std::string_view id_prefix() const = 0;
  /// One try at a graph of the wanted class, all but its id; nothing when it did not come out so.
  /// Every attempt has a stream of its own; one that takes long looks at the poll.
  virtual std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const = 0;
  /// What to say when so many attempts failed, e.g. "100000 base graphs in a row gave no triangle";
  /// `random` is the stream of the last.
  virtual std::string failure(std::uint32_t attempts, const RandomStream& random,
                              int wanted) const = 0;

  /// From the stream of any attempt, the one that all attempts at the same graph share: for a
  /// choice that must not become rarer because it fails more often.
  static RandomStream shared_by_attempts(const RandomStream& random);

  /// The end of an attempt whose witness is what answer() finds; nothing when it is of another
  /// class than wanted.
  std::optional<Sample> answered(Graph graph, int wanted, const StopPoll& stop) const;
};

/// The same task with the same settings.
std::unique_ptr<Task> copy_of(const Task& task);
/// The task that graphs were made for, with its settings; `provenance` is that of a data set, or
/// anything else with "task" and "parameters". Throws UsageError when it names none, or settings
/// that the task cannot have; `from` says in it whose provenance that is.
std::unique_ptr<Task> recorded_task(const nlohmann::ordered_json& provenance,
                                    const std::string& from);

struct TaskInfo {
  std::string_view name;
  std::string_view summary;
  std::function<std::unique_ptr<Task>()> make;
};

/// The list of tasks, in the order they are shown.
const std::vector<TaskInfo>& tasks();
/// Throws UsageError that tells the nearest, or else all, when there is none of this name.
std::unique_ptr<Task> make_task(std::string_view name);

/// The class that graph number `index` must have. Neighbours alternate, so that every even count is
/// balanced exactly; every ten graphs the parity flips, so that the folds of the filter (index mod
/// 10) hold both classes.
constexpr int wanted_class(std::uint64_t index) {
  return static_cast<int>((index + index / 10) % 2);
}

}  // namespace bermuda
