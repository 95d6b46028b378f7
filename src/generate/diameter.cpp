#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "random_graph.hpp"
#include "switches.hpp"

namespace bermuda {
namespace {

// Breadth-first from one node; distances and ways back are kept until the next.
class Breadth {
 public:
  explicit Breadth(const BitGraph& graph)
      : graph_(graph),
        queue_(at(graph.node_count())),
        before_(at(graph.node_count())),
        distance_(at(graph.node_count())),
        seen_(graph.words()) {}

  /// The last node that was reached, one of the farthest.
  int search(int from) {
    std::fill_n(seen_.data(), graph_.words(), 0);
    seen_[at(from) / 64] |= std::uint64_t{1} << (at(from) % 64);
    queue_[0] = from;
    before_[at(from)] = -1;
    distance_[at(from)] = 0;
    reached_ = 1;
    for (int done = 0; done < reached_; ++done) {
      const int node = queue_[at(done)];
      graph_.for_new_neighbours(node, seen_.data(), [&](int neighbour) {
        before_[at(neighbour)] = node;
        distance_[at(neighbour)] = distance_[at(node)] + 1;
        queue_[at(reached_++)] = neighbour;
      });
    }
    return queue_[at(reached_ - 1)];
  }
  int reached() const { return reached_; }
  int distance(int node) const { return distance_[at(node)]; }
  Witness path_to(int node) const {
    Witness path;
    for (; node >= 0; node = before_[at(node)]) {
      path.nodes.push_back(node);
      const int next = before_[at(node)];
      if (next >= 0) path.edges.push_back({std::min(node, next), std::max(node, next)});
    }
    std::ranges::sort(path.nodes);
    std::ranges::sort(path.edges);
    return path;
  }

 private:
  static constexpr std::size_t kFew = 64;
  const BitGraph& graph_;
  Scratch<int, kFew> queue_;
  Scratch<int, kFew> before_;
  Scratch<int, kFew> distance_;
  Scratch<std::uint64_t, 1> seen_;
  int reached_ = 0;
};

struct Farthest {
  int from = 0;
  int to = 0;
  int distance = -1;  // none when the graph is not connected
};

Farthest farthest_pair(const BitGraph& graph, StopPoll& stop) {
  Breadth breadth(graph);
  Farthest farthest;
  for (int node = 0; node < graph.node_count(); ++node) {
    stop(at(graph.node_count()) * graph.words());
    const int last = breadth.search(node);
    if (breadth.reached() < graph.node_count()) return {};
    if (breadth.distance(last) > farthest.distance) {
      farthest = {node, last, breadth.distance(last)};
    }
  }
  return farthest;
}

Witness path_of(const BitGraph& graph, const Farthest& farthest) {
  Breadth breadth(graph);
  breadth.search(farthest.from);
  return breadth.path_to(farthest.to);
}

/// Whether no two nodes are more than so many edges apart. What each node reaches grows by what its
/// neighbours reach, a word of nodes at a time: O(steps m n / 64).
bool is_within(const BitGraph& graph, int steps, StopPoll& stop) {
  const std::size_t words = graph.words();
  const std::size_t size = at(graph.node_count()) * words;
  Scratch<std::uint64_t, 64> reached(size);
  Scratch<std::uint64_t, 64> next(size);
  std::fill_n(reached.data(), size, 0);
  for (std::size_t node = 0; node < at(graph.node_count()); ++node) {
    reached[node * words + node / 64] |= std::uint64_t{1} << (node % 64);
  }
  for (; steps > 0; --steps) {
    stop(size);
    std::copy_n(reached.data(), size, next.data());
    graph.for_edges([&](int u, int v) {
      for (std::size_t w = 0; w < words; ++w) {
        next[at(u) * words + w] |= reached[at(v) * words + w];
        next[at(v) * words + w] |= reached[at(u) * words + w];
      }
    });
    std::copy_n(next.data(), size, reached.data());
  }
  int pairs = 0;
  for (std::size_t i = 0; i < size; ++i) pairs += std::popcount(reached[i]);
  return pairs == graph.node_count() * graph.node_count();
}

/// Connected graphs, class 1 when some shortest path has at least `threshold` edges. In a random
/// one two edges are switched so that it comes to the other side; the wanted one is taken. They
/// agree in degrees, degree pairs and every subgraph of up to four nodes.
class DiameterTask : public Task {
 public:
  static constexpr std::string_view kName = "diameter";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    set.add("threshold", threshold_, 3, 999, "class 1 from this diameter on");
    return set;
  }
  void validate() const override {
    size_.validate(0);
    const int nodes = size_.densest_of_fewest_nodes().nodes;
    if (threshold_ >= nodes) {
      throw UsageError(
          fmt::format("--threshold {} is too large for graphs of {} nodes", threshold_, nodes));
    }
    // Ore 1968.
    size_.check_room(
        0,
        [this](int n) {
          const double rest = n - threshold_;
          return std::min(threshold_ + (rest - 1) * (rest + 4) / 2, most_switchable_edges(n));
        },
        fmt::format("connected graphs of diameter {} that a switch can change", threshold_));
  }
  std::vector<std::string> class_meanings() const override {
    return {fmt::format("no two nodes are {} edges apart", threshold_),
            fmt::format("two nodes are at least {} edges apart", threshold_)};
  }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    const BitGraph bits(graph);
    const Farthest farthest = farthest_pair(bits, stop);
    if (farthest.distance < 0) return {};
    return TaskAnswer{farthest.distance >= threshold_ ? 1 : 0, path_of(bits, farthest)};
  }

 private:
  std::string_view id_prefix() const override { return "DI"; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, 0);
    BitGraph graph(nodes);
    grow_tree(graph, 0, nodes, 1, random);
    add_random_edges(graph, 0, nodes, edges - (nodes - 1), random);
    // One switch moves the diameter by little: from farther away the border is hardly ever met.
    constexpr int kFar = 1;
    const bool is_near = is_within(graph, threshold_ - 1, stop);
    if (is_near ? is_within(graph, threshold_ - 1 - kFar, stop)
                : !is_within(graph, threshold_ - 1 + kFar, stop)) {
      return {};
    }
    const std::vector<Edge> all = graph.edges();
    // The same few switches come again and again; another graph is cheaper.
    int tests = 30;
    const auto crossed =
        decide_by_switch(graph, all, all, 4, random, stop, [&](const BitGraph& now) {
          return tests > 0 && --tests >= 0 && is_within(now, threshold_ - 1, stop) != is_near &&
                 is_connected(now);
        });
    if (!crossed) return {};
    if ((wanted == 0) == is_near) apply(graph, crossed->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format(
        "{} random graphs in a row did not cross a diameter of {}: it does not fit their size and "
        "degree",
        attempts, threshold_);
  }

  SizeRange size_{10, 12, 24, 2.2, 3};
  int threshold_ = 6;
};

}  // namespace

TaskInfo diameter_task() {
  return {DiameterTask::kName, "are two nodes of this graph far apart?",
          [] { return std::make_unique<DiameterTask>(); }};
}

}  // namespace bermuda
