#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "random_graph.hpp"

namespace bermuda {
namespace {

/// A ring of n places, with links between places `skip` apart.
class SkipLinks {
 public:
  SkipLinks(int nodes, int skip) : nodes_(nodes), skip_(skip) {}

  std::array<int, 4> linked_to(int place) const {
    return {(place + 1) % nodes_, (place + nodes_ - 1) % nodes_, (place + skip_) % nodes_,
            (place + nodes_ - skip_) % nodes_};
  }
  bool is_regular() const { return nodes_ > 2 * skip_; }
  void add_to(BitGraph& ring) const {
    for (int place = 0; place < nodes_; ++place) {
      ring.add(place, (place + 1) % nodes_);
      ring.add(place, (place + skip_) % nodes_);
    }
  }
  /// The nodes by their places, if the graph is such a ring; empty when it is not.
  std::vector<int> nodes_by_place(const Graph& graph, StopPoll& stop) const;

 private:
  int nodes_;
  int skip_;
};

// Places are filled breadth-first, so that each has a neighbour that is filled already: four nodes
// to try, and most of them clash with the other neighbours at once. As all places look alike, node
// 0 may stand at place 0.
std::vector<int> SkipLinks::nodes_by_place(const Graph& graph, StopPoll& stop) const {
  if (!is_regular() || graph.node_count() != nodes_ || graph.edge_count() != 2 * nodes_) return {};
  const Adjacency adjacency(graph);
  for (int node = 0; node < nodes_; ++node) {
    if (adjacency.degree(node) != 4) return {};
  }
  std::vector<int> order = {0};
  std::vector<int> parent(at(nodes_), -1);
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const int place : linked_to(order[done])) {
      if (place == 0 || parent[at(place)] >= 0) continue;
      parent[at(place)] = order[done];
      order.push_back(place);
    }
  }

  std::vector<int> node_at(at(nodes_), -1);
  std::vector<int> place_of(at(nodes_), -1);
  const auto fits = [&](int place, int node) {
    if (place_of[at(node)] >= 0) return false;
    int filled = 0;
    for (const int other : linked_to(place)) {
      if (node_at[at(other)] < 0) continue;
      ++filled;
      if (!std::ranges::binary_search(adjacency.of(node), node_at[at(other)])) return false;
    }
    const auto placed = std::ranges::count_if(adjacency.of(node),
                                              [&](int other) { return place_of[at(other)] >= 0; });
    return placed == filled;
  };
  std::vector<int> tried(at(nodes_), 0);  // neighbours of the parent's node, by step
  node_at[0] = 0;
  place_of[0] = 0;
  std::size_t step = 1;
  while (step > 0 && step < order.size()) {
    stop();
    const int place = order[step];
    if (node_at[at(place)] >= 0) {  // we came back: what stood here was wrong
      place_of[at(node_at[at(place)])] = -1;
      node_at[at(place)] = -1;
    }
    const std::span<const int> choices = adjacency.of(node_at[at(parent[at(place)])]);
    int& next = tried[step];
    while (next < 4 && !fits(place, choices[at(next)])) ++next;
    if (next == 4) {
      next = 0;
      --step;
      continue;
    }
    node_at[at(place)] = choices[at(next++)];
    place_of[at(node_at[at(place)])] = place;
    ++step;
  }
  return step == 0 ? std::vector<int>() : node_at;
}

Witness ring_through(const std::vector<int>& nodes) {
  Witness ring;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [low, high] = std::minmax(nodes[i], nodes[(i + 1) % nodes.size()]);
    ring.edges.push_back({low, high});
  }
  ring.nodes = nodes;
  std::ranges::sort(ring.nodes);
  std::ranges::sort(ring.edges);
  return ring;
}

/// Circulant skip links (Murphy et al. 2019): a ring of n nodes, joined also to those `skip` places
/// on; the class is which skip of two. All graphs of a size are 4-regular and look alike to 1-WL.
/// O(n) per graph.
class CslTask : public Task {
 public:
  static constexpr std::string_view kName = "csl";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("min-nodes", min_nodes_, 5, 1000, "fewest nodes")
        .add("max-nodes", max_nodes_, 5, 1000, "most nodes")
        .add("skip-0", skips_[0], 2, 499, "class 0: how many places on a skip link leads")
        .add("skip-1", skips_[1], 2, 499, "class 1: how many places on a skip link leads");
    return set;
  }
  void validate() const override;
  std::vector<std::string> class_meanings() const override {
    return {fmt::format("a ring with links {} places on", skips_[0]),
            fmt::format("a ring with links {} places on", skips_[1])};
  }
  bool has_few_graphs() const override { return true; }
  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override;

 private:
  std::string_view id_prefix() const override { return "CS"; }
  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override;
  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} rings in a row are the same graph with skips of {} and of {}", attempts,
                       skips_[0], skips_[1]);
  }

  int min_nodes_ = 10;
  int max_nodes_ = 41;
  std::array<int, 2> skips_ = {2, 3};
};

void CslTask::validate() const {
  if (min_nodes_ > max_nodes_) {
    throw UsageError(
        fmt::format("--min-nodes {} is larger than --max-nodes {}", min_nodes_, max_nodes_));
  }
  if (skips_[0] == skips_[1]) {
    throw UsageError(
        fmt::format("--skip-0 {} is also --skip-1: the classes would be the same", skips_[0]));
  }
  const int longest = std::max(skips_[0], skips_[1]);
  if (min_nodes_ <= 2 * longest) {
    throw UsageError(fmt::format("--min-nodes {} is too small for a skip of {}: at least {}",
                                 min_nodes_, longest, 2 * longest + 1));
  }
  StopPoll stop;
  for (int nodes = min_nodes_; nodes <= max_nodes_; ++nodes) {
    BitGraph ring(nodes);
    SkipLinks(nodes, skips_[0]).add_to(ring);
    if (SkipLinks(nodes, skips_[1]).nodes_by_place({nodes, ring.edges()}, stop).empty()) return;
  }
  throw UsageError(fmt::format("rings of {} to {} nodes are the same graph with skips of {} and {}",
                               min_nodes_, max_nodes_, skips_[0], skips_[1]));
}

std::optional<Sample> CslTask::attempt(RandomStream random, int wanted, StopPoll stop) const {
  const int nodes = random.between(min_nodes_, max_nodes_);
  BitGraph ring(nodes);
  SkipLinks(nodes, skips_[at(wanted)]).add_to(ring);
  return answered(shuffled_graph(ring, random), wanted, stop);
}

std::optional<TaskAnswer> CslTask::answer(const Graph& graph, StopPoll stop) const {
  std::optional<TaskAnswer> answer;
  for (int label = 0; label < 2; ++label) {
    const auto ring = SkipLinks(graph.node_count(), skips_[at(label)]).nodes_by_place(graph, stop);
    if (ring.empty()) continue;
    if (answer) return {};  // both skips make this graph
    answer = TaskAnswer{label, ring_through(ring)};
  }
  return answer;
}

}  // namespace

TaskInfo csl_task() {
  return {CslTask::kName, "which skip links does this ring have?",
          [] { return std::make_unique<CslTask>(); }};
}

}  // namespace bermuda
