#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/generate/pairs.hpp"

namespace bermuda {

/// Two graphs of different class that agree in what must be the same.
struct Twins {
  std::array<Sample, 2> samples;  ///< all but their ids; numbers of nodes are shuffled
  int switches = 0;
  std::uint32_t attempts = 1;  ///< it took to find them
};

/// Makes twins of two graphs: neither the numbers of nodes nor their order tell anything, nor where
/// they come from. Nothing when the task does not give them different classes. `first_at` becomes
/// the place of the first.
std::optional<Twins> twins_of(const Task& task, const Graph& first, const Graph& second,
                              const std::string& origin, RandomStream& random, const StopPoll& stop,
                              std::size_t* first_at = nullptr);

/// Finds twins for a task, of equally many connected components unless the task is about these, in
/// the first of these ways that works often enough:
///   switch  a graph of the task, its edges switched
///   lift    the same from a lift of a smaller graph of the task. Where the task's own graphs have
///           too few nodes of equal colour to switch anything (many rounds), a lift has them.
///   match   many graphs of the task by what must be the same: for tasks whose graphs bear no
///           switch (a circulant graph with one switched is none)
/// Which way it is follows from the settings and the seed alone, so that each pair remains a pure
/// function of (settings, seed, its number).
class TwinMaker {
 public:
  TwinMaker(const Task& task, const Sameness& same, std::uint64_t seed, const StopPoll& stop);
  ~TwinMaker();

  /// Throws UsageError when many attempts fail.
  Twins make(std::uint64_t index, const StopPoll& stop) const;
  std::string_view way() const;

 private:
  enum class Way { kSwitch, kLift, kMatch };
  struct Plan {
    Way way = Way::kSwitch;
    std::array<bool, 2> from = {true, true};  ///< classes that a start can have
  };

  std::optional<Plan> try_way(Way way, int attempts, int enough, const StopPoll& stop) const;
  void make_smaller_tasks(const StopPoll& stop);
  std::optional<Twins> attempt(Way way, int from, RandomStream random, const StopPoll& stop) const;
  std::optional<Sample> start(Way way, int from, RandomStream& random, const StopPoll& stop) const;
  std::optional<Twins> match(RandomStream& random, const StopPoll& stop) const;
  std::optional<Twins> from_switches(const Sample& start, RandomStream& random,
                                     const StopPoll& stop) const;
  [[noreturn]] void give_up(std::uint64_t attempts) const;

  const Task& task_;
  Sameness same_;
  std::uint64_t seed_;
  struct Smaller {
    int copies;
    std::unique_ptr<Task> task;
  };
  std::vector<Smaller> smaller_;  // for lifts
  Plan plan_;
};

}  // namespace bermuda
