#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "arc_switches.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/generate/pairs.hpp"
#include "bit_graph.hpp"
#include "twin_maker.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// How many changes of one graph are listed, to be tried in random order.
constexpr std::size_t kMostListed = 20'000'000;

void check_listed(const Sample& sample, std::size_t changes) {
  if (changes <= kMostListed) return;
  throw UsageError(
      fmt::format("graph {}: has {} nodes and {} edges, too many for nearest twins: {} changes to "
                  "try, at most {} can be",
                  in_quotes(sample.id), sample.graph.node_count(), sample.graph.edge_count(),
                  changes, kMostListed));
}

/// Looks for the fewest changes of a graph that flip its class: every graph at distance 1, then at
/// distance 2 and so on. Changes are in random order, so that which of the nearest is found is
/// random too.
class NearestSearch {
 public:
  NearestSearch(const Task& task, const Sample& sample, const NearestOptions& options,
                RandomStream& random, const StopPoll& stop)
      : task_(task), sample_(sample), options_(options), random_(random), stop_(stop) {}

  struct Found {
    Graph graph;
    int changes;
  };
  std::optional<Found> run() {
    for (int changes = 1; changes <= options_.most_changes; ++changes) {
      const bool found =
          options_.same.kind == Sameness::Kind::kNothing ? by_edges(changes) : by_switches(changes);
      if (found) return Found{std::move(twin_), changes};
      if (given_up()) break;
    }
    return {};
  }
  bool given_up() const { return asked_ >= options_.most_graphs; }

 private:
  bool flips(Graph graph) {
    ++asked_;
    stop_.now();
    const auto answer = task_.answer(graph, stop_);
    if (!answer || answer->label == sample_.label) return false;
    twin_ = std::move(graph);
    return true;
  }

  bool by_switches(int changes) {
    SwitchGraph graph(sample_.graph, options_.same);
    return switch_on(graph, changes);
  }
  bool switch_on(SwitchGraph& graph, int left) {
    check_listed(sample_, graph.pair_count());
    std::vector<ArcSwitch> switches = graph.all();
    stop_(switches.size());
    random_.shuffle(std::span(switches));
    for (const ArcSwitch& heads : switches) {
      if (given_up()) return false;
      graph.apply(heads);
      if (left == 1 ? flips(graph.graph()) : switch_on(graph, left - 1)) return true;
      graph.apply(heads);
    }
    return false;
  }

  bool by_edges(int changes) {
    const auto nodes = static_cast<std::size_t>(sample_.graph.node_count());
    check_listed(sample_, nodes * (nodes - (nodes > 0 ? 1 : 0)) / 2);
    BitGraph graph(sample_.graph);
    std::vector<Edge> places;
    for (int v = 1; v < graph.node_count(); ++v) {
      for (int u = 0; u < v; ++u) places.push_back({u, v});
    }
    random_.shuffle(std::span(places));
    return toggle(graph, places, changes);
  }
  /// Each set of places once: those that are left come after those that were changed.
  bool toggle(BitGraph& graph, std::span<const Edge> places, int left) {
    const auto turn = [&](const Edge& place) {
      graph.has(place.u, place.v) ? graph.remove(place.u, place.v) : graph.add(place.u, place.v);
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (given_up()) return false;
      turn(places[i]);
      const bool found =
          left == 1 ? flips({graph.node_count(), graph.edges(), sample_.graph.node_labels()})
                    : toggle(graph, places.subspan(i + 1), left - 1);
      if (found) return true;
      turn(places[i]);
    }
    return false;
  }

  const Task& task_;
  const Sample& sample_;
  const NearestOptions& options_;
  RandomStream& random_;
  StopPoll stop_;
  std::size_t asked_ = 0;
  Graph twin_;
};

std::size_t changed_edges(const Graph& one, const Graph& other) {
  std::vector<Edge> differing;
  std::ranges::set_symmetric_difference(one.edges(), other.edges(), std::back_inserter(differing));
  return differing.size();
}

struct NearestPair {
  std::optional<Twins> twins;
  std::size_t original = 0;  // its place among the twins
  int changes = 0;
  std::size_t edges = 0;
  bool given_up = false;
};

NearestPair nearest_to(const Task& task, const Sample& sample, const NearestOptions& options,
                       RandomStream random, const StopPoll& stop) {
  const auto answer = task.answer(sample.graph, stop);
  if (!answer || answer->label != sample.label) {
    throw UsageError(fmt::format("graph {}: has class {}, but by task {} {}", in_quotes(sample.id),
                                 sample.label, task.name(),
                                 answer ? fmt::format("class {}", answer->label) : "none"));
  }
  NearestPair pair;
  NearestSearch search(task, sample, options, random, stop);
  const auto found = search.run();
  pair.given_up = !found && search.given_up();
  if (!found) return pair;
  pair.changes = found->changes;
  pair.edges = changed_edges(sample.graph, found->graph);
  pair.twins =
      twins_of(task, sample.graph, found->graph, sample.origin, random, stop, &pair.original);
  return pair;
}

}  // namespace

DataSet nearest_pairs(const Task& task, const DataSet& data, const NearestOptions& options,
                      std::uint64_t seed, NearestReport& report, const Execution& execution) {
  const std::vector<const Sample*> samples = data.all();
  std::vector<NearestPair> pairs(samples.size());
  {
    const Stage stage(execution, "nearest twins", samples.size());
    parallel_for(execution, samples.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const RandomStream random(seed, Purpose::kPairs, i);
        pairs[i] = nearest_to(task, *samples[i], options, random, execution);
      }
      stage.advance(end - begin);
    });
  }
  report = {};
  Json listed = Json::array();
  Split split{"all", {}};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    NearestPair& pair = pairs[i];
    if (!pair.twins) {
      ++(pair.given_up ? report.given_up : report.farther);
      continue;
    }
    ++report.found[pair.changes];
    listed.push_back({{"of", samples[i]->id},
                      {"original", pair.original == 0 ? "a" : "b"},
                      {"changes", pair.changes},
                      {"changed_edges", pair.edges}});
    for (const std::size_t which : {0U, 1U}) {
      pair.twins->samples[which].id = samples[i]->id + (which == 0 ? "-a" : "-b");
      split.samples.push_back(std::move(pair.twins->samples[which]));
    }
  }
  if (split.samples.empty()) {
    throw UsageError(fmt::format(
        "{}: none of {} graphs has a twin within {} change{} ({} were given up after {} graphs)",
        data.name, samples.size(), options.most_changes, options.most_changes == 1 ? "" : "s",
        report.given_up, options.most_graphs));
  }
  DataSet out;
  out.name = data.name;
  out.class_names = data.class_names;
  for (const char* key : {"task", "class_meanings", "parameters"}) {
    if (data.provenance.contains(key)) out.provenance[key] = data.provenance[key];
  }
  out.provenance["seed"] = seed;
  Json by_changes = Json::object();
  for (const auto& [changes, count] : report.found) by_changes[std::to_string(changes)] = count;
  out.provenance["pairs"] = {{"same", options.same.text()},
                             {"count", listed.size()},
                             {"way", "nearest"},
                             {"most_changes", options.most_changes},
                             {"changes", by_changes},
                             {"farther", report.farther},
                             {"given_up", report.given_up},
                             {"twins", std::move(listed)}};
  out.splits.push_back(std::move(split));
  return out;
}

}  // namespace bermuda
