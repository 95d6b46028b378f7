#include "twin_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "arc_switches.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/graph/renumber.hpp"
#include "bermuda/graph/wl.hpp"
#include "lift.hpp"
#include "random_graph.hpp"
#include "with_settings.hpp"

namespace bermuda {
namespace {

constexpr std::uint32_t kMostTwinAttempts = 20000;
constexpr int kMostSwitches = 4;
constexpr int kLooks = 64;  // at graphs that are one more switch away

// Numbers of pairs that nobody asks for, to try ways with.
constexpr std::uint64_t kPilotIndex = std::uint64_t{1} << 62;
constexpr int kPilotAttempts = 50;
constexpr int kLongPilotAttempts = 1000;
constexpr int kOftenEnough = 3;

constexpr std::array<int, 3> kCopies = {2, 3, 4};
constexpr int kFewestNodes = 5;  // of the graph that is lifted
constexpr int kMostMoreEdges = 2;
constexpr int kMatchedGraphs = 32;  // of each class

/// Equal for graphs that are the same; from one dictionary.
std::vector<int> signature(const Graph& graph, const Sameness& same, WlColouring& colouring) {
  std::vector<int> sign;
  if (same.kind == Sameness::Kind::kColours) {
    sign = colouring.learn(graph).back();
  } else {
    sign = graph.degrees();
  }
  std::sort(sign.begin(), sign.end());
  if (same.kind == Sameness::Kind::kDegreePairs) {
    const std::vector<int> degrees = graph.degrees();
    std::vector<std::pair<int, int>> joined;
    for (const Edge& edge : graph.edges()) {
      joined.push_back(std::minmax(degrees[at(edge.u)], degrees[at(edge.v)]));
    }
    std::sort(joined.begin(), joined.end());
    for (const auto& [low, high] : joined) {
      sign.push_back(low);
      sign.push_back(high);
    }
  }
  return sign;
}

Graph shuffled(const Graph& graph, RandomStream& random) {
  return renumbered(graph, random_numbers(graph.node_count(), random));
}

}  // namespace

std::optional<Twins> twins_of(const Task& task, const Graph& first, const Graph& second,
                              const std::string& origin, RandomStream& random, const StopPoll& stop,
                              std::size_t* first_at) {
  Twins twins;
  const std::size_t place = random.below(2);
  if (first_at != nullptr) *first_at = place;
  twins.samples[place].graph = shuffled(first, random);
  twins.samples[1 - place].graph = shuffled(second, random);
  for (Sample& sample : twins.samples) {
    auto answer = task.answer(sample.graph, stop);
    if (!answer) return {};
    sample.label = answer->label;
    sample.witness = std::move(answer->witness);
    sample.origin = origin;
  }
  if (twins.samples[0].label == twins.samples[1].label) return {};
  return twins;
}

TwinMaker::TwinMaker(const Task& task, const Sameness& same, std::uint64_t seed,
                     const StopPoll& stop)
    : task_(task), same_(same), seed_(seed) {
  task.validate();
  for (const auto& [attempts, enough] :
       {std::pair(kPilotAttempts, kOftenEnough), std::pair(kLongPilotAttempts, 1)}) {
    for (const Way way : {Way::kSwitch, Way::kLift, Way::kMatch}) {
      if (way == Way::kLift && smaller_.empty()) make_smaller_tasks(stop);
      if (const auto plan = try_way(way, attempts, enough, stop)) {
        plan_ = *plan;
        return;
      }
    }
  }
  give_up(kLongPilotAttempts);
}

TwinMaker::~TwinMaker() = default;

std::string_view TwinMaker::way() const {
  if (plan_.way == Way::kMatch) return "match";
  return plan_.way == Way::kSwitch ? "switch" : "lift";
}

void TwinMaker::give_up(std::uint64_t attempts) const {
  throw UsageError(fmt::format(
      "{}: {} attempts in a row found no twins with the same {}; other parameters are needed, or "
      "twins that agree in less",
      task_.name(), attempts,
      same_.kind == Sameness::Kind::kColours ? fmt::format("colours after {} rounds", same_.rounds)
                                             : same_.text()));
}

/// The task with its settings, but so few nodes that a lift has about as many as the task's graphs.
void TwinMaker::make_smaller_tasks(const StopPoll& stop) {
  const Settings settings = task_.settings();
  for (const int copies : kCopies) {
    try {
      TaskSettings fewer;
      for (const char* name : {"min-nodes", "max-nodes"}) {
        const Setting& setting = settings.get(name);
        const int nodes = std::max(setting.value().get<int>() / copies,
                                   std::max(static_cast<int>(setting.low), kFewestNodes));
        fewer[name] = std::to_string(nodes);
      }
      auto task = with_settings(task_, fewer);
      for (const std::uint64_t label : {0U, 1U}) (void)task->make(seed_, label, stop);
      smaller_.push_back({copies, std::move(task)});
    } catch (const UsageError&) {
      continue;  // so few nodes do not go together with the rest
    }
  }
}

std::optional<TwinMaker::Plan> TwinMaker::try_way(Way way, int attempts, int enough,
                                                  const StopPoll& stop) const {
  if (way == Way::kLift && smaller_.empty()) return {};
  Plan plan{way, {false, false}};
  for (const int from : {0, 1}) {
    int found = 0;
    for (int i = 0; i < attempts && found < enough; ++i) {
      stop.now();
      const RandomStream random(seed_, Purpose::kPairs, kPilotIndex + at(from),
                                static_cast<std::uint32_t>(i));
      if (attempt(way, from, random, stop)) ++found;
    }
    plan.from[at(from)] = found >= enough;
  }
  if (!plan.from[0] && !plan.from[1]) return {};
  return plan;
}

Twins TwinMaker::make(std::uint64_t index, const StopPoll& stop) const {
  // Drawn once per pair: a class that makes worse starts must not become rarer.
  RandomStream choice(seed_, Purpose::kPairs, index, kMostTwinAttempts);
  int from = static_cast<int>(choice.below(2));
  if (!plan_.from[at(from)]) from = 1 - from;
  for (std::uint32_t i = 0; i < kMostTwinAttempts; ++i) {
    stop.now();
    if (auto twins =
            attempt(plan_.way, from, RandomStream(seed_, Purpose::kPairs, index, i), stop)) {
      twins->attempts = i + 1;
      return *std::move(twins);
    }
  }
  give_up(kMostTwinAttempts);
}

std::optional<Twins> TwinMaker::attempt(Way way, int from, RandomStream random,
                                        const StopPoll& stop) const {
  if (way == Way::kMatch) return match(random, stop);
  const auto sample = start(way, from, random, stop);
  if (!sample) return {};
  return from_switches(*sample, random, stop);
}

std::optional<Sample> TwinMaker::start(Way way, int from, RandomStream& random,
                                       const StopPoll& stop) const {
  // Of neighbouring numbers each class has one.
  if (way == Way::kSwitch) return task_.make(random.next_u64(), at(from), stop);
  const Smaller& smaller = smaller_[random.below(static_cast<std::uint32_t>(smaller_.size()))];
  Sample sample;
  try {
    sample = smaller.task->make(random.next_u64(), random.below(2), stop);
  } catch (const UsageError&) {
    return {};  // seldom: it could make others
  }
  const int more = random.between(0, kMostMoreEdges);
  sample.graph = random_lift(with_random_edges(sample.graph, more, random), smaller.copies, random);
  sample.origin = fmt::format("lift{}", smaller.copies);
  const auto answer = task_.answer(sample.graph, stop);
  if (!answer || answer->label != from) return {};
  sample.label = from;
  return sample;
}

std::optional<Twins> TwinMaker::from_switches(const Sample& start, RandomStream& random,
                                              const StopPoll& stop) const {
  SwitchGraph changing(start.graph, same_);
  const int components = component_count(BitGraph(start.graph));
  for (int switches = 1; switches <= kMostSwitches; ++switches) {
    std::optional<ArcSwitch> onward;  // to a graph that still has the class
    // Whether it leads onward. Where few arcs may change heads, most switches are drawn again.
    std::map<ArcSwitch, bool> seen;
    for (int look = 0; look < kLooks; ++look) {
      stop.now();
      const auto heads = changing.draw(random);
      if (!heads) return {};
      const auto [found, is_new] = seen.try_emplace(heads->ordered(), false);
      if (!is_new) {
        if (found->second) onward = heads;
        continue;
      }
      changing.apply(*heads);
      const Graph graph = changing.graph();
      // A graph that falls apart would be told by that alone.
      const bool kept = task_.tells_components() || component_count(BitGraph(graph)) == components;
      const auto answer = kept ? task_.answer(graph, stop) : std::nullopt;
      if (answer && answer->label != start.label) {
        auto twins = twins_of(task_, start.graph, graph, start.origin, random, stop);
        if (twins) twins->switches = switches;
        return twins;
      }
      changing.apply(*heads);
      found->second = answer.has_value();
      if (answer) onward = heads;
    }
    if (!onward) return {};
    changing.apply(*onward);
  }
  return {};
}

std::optional<Twins> TwinMaker::match(RandomStream& random, const StopPoll& stop) const {
  WlColouring colouring({.rounds = std::max(same_.rounds, 1)});
  const auto sign_of = [&](const Graph& graph) {
    std::vector<int> sign = signature(graph, same_, colouring);
    if (!task_.tells_components()) sign.push_back(component_count(BitGraph(graph)));
    return sign;
  };
  std::map<std::vector<int>, Sample> of_class_0;
  for (int i = 0; i < kMatchedGraphs; ++i) {
    Sample sample = task_.make(random.next_u64(), 0, stop);
    std::vector<int> sign = sign_of(sample.graph);
    of_class_0.emplace(std::move(sign), std::move(sample));
  }
  for (int i = 0; i < kMatchedGraphs; ++i) {
    const Sample sample = task_.make(random.next_u64(), 1, stop);
    const auto found = of_class_0.find(sign_of(sample.graph));
    if (found == of_class_0.end()) continue;
    return twins_of(task_, found->second.graph, sample.graph, sample.origin, random, stop);
  }
  return {};
}

}  // namespace bermuda
