#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/graph/canonical.hpp"
#include "bermuda/graph/renumber.hpp"
#include "bermuda/graph/wl.hpp"
#include "lift.hpp"
#include "random_graph.hpp"
#include "telling_ball.hpp"

namespace bermuda {
namespace {

/// r nodes for each of the base graph's, and for each of its edges a matching between them, drawn
/// at random. All r-fold lifts of a graph look the same to 1-WL.
void lift_at_random(BitGraph& lift, const std::vector<Edge>& base, int r, RandomStream& random) {
  std::vector<int> partner(at(r));
  std::iota(partner.begin(), partner.end(), 0);
  for (const auto& [u, v] : base) {
    random.shuffle(std::span(partner));
    join_copies({u, v}, partner, [&](int one, int other) { lift.add(one, other); });
  }
}

std::string form_of_half(const BitGraph& half, const StopPoll& stop) {
  return canonical_form(Graph(half.node_count(), half.edges()), stop);
}

/// The part of a half that proves two halves different, with nodes as in the whole graph; nothing
/// when they are isomorphic.
std::optional<Witness> difference_of(const BitGraph& first, const BitGraph& second,
                                     const std::vector<std::vector<int>>& numbers, StopPoll& stop) {
  std::optional<TellingBall> ball = find_telling_ball(first, second, stop);
  if (!ball) {
    if (form_of_half(first, stop) == form_of_half(second, stop)) return {};
    ball.emplace();
    ball->nodes.resize(at(first.node_count()));
    std::iota(ball->nodes.begin(), ball->nodes.end(), 0);
  }
  const BitGraph& half = ball->of_second ? second : first;
  const std::vector<int>& number = numbers[ball->of_second ? 1 : 0];
  std::ranges::sort(ball->nodes);
  Witness witness;
  for (std::size_t j = 0; j < ball->nodes.size(); ++j) {
    const int v = ball->nodes[j];
    witness.nodes.push_back(number[at(v)]);
    for (std::size_t i = 0; i < j; ++i) {
      if (!half.has(ball->nodes[i], v)) continue;
      const auto [low, high] = std::minmax(number[at(ball->nodes[i])], number[at(v)]);
      witness.edges.push_back({low, high});
    }
  }
  std::ranges::sort(witness.nodes);
  std::ranges::sort(witness.edges);
  return witness;
}

int ceiling(double value) { return static_cast<int>(std::ceil(value)); }

/// Two connected halves of a graph, both lifts of one base graph and so equal to 1-WL; class 1 when
/// they are isomorphic. Both classes start with two lifts that are not: class 0 has both, class 1
/// has one of them twice. So one half alone tells nothing of the class.
class IsomorphicPairTask : public Task {
 public:
  static constexpr std::string_view kName = "isomorphic-pair";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("min-nodes", min_nodes_, 4 * kLeastBase, 1000, "fewest nodes of both halves together")
        .add("max-nodes", max_nodes_, 4 * kLeastBase, 1000, "most nodes of both halves together")
        .add("min-degree", min_degree_, 2, 50, "smallest mean degree")
        .add("max-degree", max_degree_, 2, 50, "largest mean degree");
    return set;
  }
  void validate() const override;
  std::vector<std::string> class_meanings() const override {
    return {"two halves that are not isomorphic, though 1-WL sees no difference",
            "two isomorphic halves"};
  }
  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override;

 private:
  // Four would do, but there are few such graphs, and few of their lifts differ.
  static constexpr int kLeastBase = 6;

  std::string_view id_prefix() const override { return "IP"; }
  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override;
  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} base graphs in a row gave no two connected lifts that differ", attempts);
  }
  /// How often the base graph is lifted in halves of so many nodes, all that are possible.
  static std::vector<int> folds_of(int half) {
    std::vector<int> folds;
    for (int r = 2; r * kLeastBase <= half; ++r) {
      if (half % r == 0) folds.push_back(r);
    }
    return folds;
  }

  /// The fewest and the most edges of a base graph.
  std::pair<int, int> edges_of(int base_nodes) const {
    return {std::max(base_nodes + 1, ceiling(base_nodes * min_degree_ / 2)),
            std::min(base_nodes * (base_nodes - 1) / 2,
                     static_cast<int>(base_nodes * max_degree_ / 2))};
  }

  int min_nodes_ = 32;
  int max_nodes_ = 56;
  double min_degree_ = 2.4;
  double max_degree_ = 3.6;
};

void IsomorphicPairTask::validate() const {
  if (min_nodes_ > max_nodes_) {
    throw UsageError(
        fmt::format("--min-nodes {} is larger than --max-nodes {}", min_nodes_, max_nodes_));
  }
  if (min_degree_ > max_degree_) {
    throw UsageError(
        fmt::format("--min-degree {} is larger than --max-degree {}", min_degree_, max_degree_));
  }
  bool any = false;
  for (int half = (min_nodes_ + 1) / 2; half <= max_nodes_ / 2; ++half) {
    for (const int r : folds_of(half)) {
      any = true;
      if (const auto [fewest, most] = edges_of(half / r); fewest <= most) return;
    }
  }
  if (any) {
    throw UsageError(fmt::format(
        "mean degrees of {} to {} allow no base graph in halves of {} to {} nodes: these have more "
        "edges than nodes, and no more than one per pair of nodes",
        min_degree_, max_degree_, (min_nodes_ + 1) / 2, max_nodes_ / 2));
  }
  throw UsageError(
      fmt::format("--min-nodes {} --max-nodes {}: there is no size of two halves that each are a "
                  "multiple of {} or more nodes",
                  min_nodes_, max_nodes_, kLeastBase));
}

std::optional<Sample> IsomorphicPairTask::attempt(RandomStream random, int wanted,
                                                  StopPoll stop) const {
  const int half = random.between((min_nodes_ + 1) / 2, max_nodes_ / 2);
  const std::vector<int> folds = folds_of(half);
  if (folds.empty()) return {};
  const int r = folds[random.below(static_cast<std::uint32_t>(folds.size()))];
  const int base_nodes = half / r;
  const auto [fewest, most] = edges_of(base_nodes);
  if (fewest > most) return {};
  BitGraph base_graph(base_nodes);
  grow_tree(base_graph, 0, base_nodes, 1, random);
  add_random_edges(base_graph, 0, base_nodes, random.between(fewest, most) - (base_nodes - 1),
                   random);
  const std::vector<Edge> base = base_graph.edges();
  BitGraph lifts[] = {BitGraph(half), BitGraph(half)};
  for (BitGraph& lift : lifts) {
    stop(at(half));
    lift_at_random(lift, base, r, random);
    if (!is_connected(lift)) return {};
  }
  std::vector<std::vector<int>> numbers(2, std::vector<int>(at(half)));
  std::iota(numbers[0].begin(), numbers[0].end(), 0);
  std::iota(numbers[1].begin(), numbers[1].end(), half);
  const auto difference = difference_of(lifts[0], lifts[1], numbers, stop);
  if (!difference) return {};

  const std::size_t first = wanted == 0 ? 0 : random.below(2);
  const std::size_t second = wanted == 0 ? 1 : first;
  std::vector<Edge> edges = lifts[first].edges();
  for (const auto& [u, v] : lifts[second].edges()) edges.push_back({u + half, v + half});
  Sample sample;
  sample.label = wanted;
  sample.origin = fmt::format("lift{}", r);
  if (wanted == 0) sample.witness = *difference;
  sample.graph = Graph(2 * half, std::move(edges));
  const std::vector<int> number = random_numbers(sample.graph.node_count(), random);
  sample.graph = renumbered(sample.graph, number);
  sample.witness = renumbered(sample.witness, number);
  return sample;
}

/// The colours from which on 1-WL finds no more of them.
std::vector<int> stable_colours(const Graph& graph, const StopPoll& stop) {
  for (int rounds = 4;; rounds *= 2) {
    WlColouring colouring({.rounds = rounds, .use_edge_labels = false});
    const auto colours = colouring.learn(graph, stop);
    for (int round = 1; round <= rounds; ++round) {
      if (colouring.colour_count(round) == colouring.colour_count(round - 1)) {
        return colours[at(round)];
      }
    }
  }
}

/// Whether both have as many nodes of each stable colour.
bool are_equal_to_wl(const BitGraph& first, const BitGraph& second, const StopPoll& stop) {
  const int half = first.node_count();
  std::vector<Edge> edges = first.edges();
  for (const auto& [u, v] : second.edges()) edges.push_back({u + half, v + half});
  const auto colours = stable_colours(Graph(2 * half, std::move(edges)), stop);
  std::vector<int> left(colours.begin(), colours.begin() + half);
  std::vector<int> right(colours.begin() + half, colours.end());
  std::ranges::sort(left);
  std::ranges::sort(right);
  return left == right;
}

std::optional<TaskAnswer> IsomorphicPairTask::answer(const Graph& graph, StopPoll stop) const {
  const int nodes = graph.node_count();
  if (nodes < 2 || nodes % 2 != 0) return {};
  // The half of node 0, then the other, each in ascending order.
  const Adjacency adjacency(graph);
  std::vector<int> queue = {0};
  std::vector<int> place(at(nodes), -1);
  place[0] = 0;
  for (std::size_t done = 0; done < queue.size(); ++done) {
    for (const int node : adjacency.of(queue[done])) {
      if (std::exchange(place[at(node)], 0) < 0) queue.push_back(node);
    }
  }
  const int half = nodes / 2;
  if (queue.size() != at(half)) return {};
  std::vector<std::vector<int>> numbers(2);
  for (int node = 0; node < nodes; ++node) {
    std::vector<int>& own = numbers[place[at(node)] == 0 ? 0 : 1];
    own.push_back(node);
  }
  std::vector<bool> is_second(at(nodes), true);
  for (const int node : numbers[0]) is_second[at(node)] = false;
  for (const auto& own : numbers) {
    for (int i = 0; i < half; ++i) place[at(own[at(i)])] = i;
  }
  BitGraph first(half);
  BitGraph second(half);
  for (const auto& [u, v] : graph.edges()) {
    (is_second[at(u)] ? second : first).add(place[at(u)], place[at(v)]);
  }
  if (!is_connected(second) || !are_equal_to_wl(first, second, stop)) return {};
  auto difference = difference_of(first, second, numbers, stop);
  if (!difference) return TaskAnswer{1, {}};
  return TaskAnswer{0, *std::move(difference)};
}

}  // namespace

TaskInfo isomorphic_pair_task() {
  return {IsomorphicPairTask::kName, "are the two halves of this graph isomorphic?",
          [] { return std::make_unique<IsomorphicPairTask>(); }};
}

}  // namespace bermuda
