#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/graph/renumber.hpp"
#include "bit_graph.hpp"

namespace bermuda {
namespace {

// Barabási and Albert 1999, on nodes 0..nodes-1: a star of m + 1 nodes, then every new node is
// joined to m distinct older ones, drawn in proportion to their degree.
void grow_by_preferential_attachment(BitGraph& graph, int nodes, int m, RandomStream& random) {
  Scratch<int, 128> ends(at(m) * at(nodes) * 2);  // every node once for each of its edges
  std::uint32_t filled = 0;
  const auto join = [&](int old_node, int new_node) {
    graph.add(old_node, new_node);
    ends[filled++] = old_node;
    ends[filled++] = new_node;
  };
  for (int leaf = 1; leaf <= m; ++leaf) join(0, leaf);
  for (int node = m + 1; node < nodes; ++node) {
    const std::uint32_t choices = filled;
    for (int joined = 0; joined < m;) {
      const int target = ends[random.below(choices)];
      if (graph.has(target, node)) continue;
      join(target, node);
      ++joined;
    }
  }
}

void add_clique(BitGraph& graph, int first, int size) {
  for (int u = first; u < first + size; ++u) {
    for (int v = u + 1; v < first + size; ++v) graph.add(u, v);
  }
}

// A shortest path from one node to another, both included, in a connected graph. Only its length
// is wanted of most: many attempts are of the other class.
class ShortestPath {
 public:
  ShortestPath(const BitGraph& graph, int from, int to)
      : next_(at(graph.node_count())), from_(from), to_(to) {
    Scratch<int, kFew> queue(at(graph.node_count()));
    Scratch<std::uint64_t, 1> seen(graph.words());
    std::fill_n(seen.data(), graph.words(), 0);
    seen[at(to) / 64] |= std::uint64_t{1} << (at(to) % 64);
    queue[0] = to;
    next_[at(from)] = -1;
    std::size_t filled = 1;
    for (std::size_t done = 0; next_[at(from)] < 0 && from != to; ++done) {
      const int node = queue[done];
      graph.for_new_neighbours(node, seen.data(), [&](int neighbour) {
        next_[at(neighbour)] = node;
        queue[filled++] = neighbour;
      });
    }
  }

  template <typename Visit>
  void for_edges(Visit visit) const {
    for (int node = from_; node != to_; node = next_[at(node)]) visit(node, next_[at(node)]);
  }
  template <typename Visit>
  void for_nodes(Visit visit) const {
    visit(from_);
    for_edges([&](int, int node) { visit(node); });
  }
  int edge_count() const {
    int edges = 0;
    for_edges([&](int, int) { ++edges; });
    return edges;
  }

 private:
  static constexpr std::size_t kFew = 64;
  Scratch<int, kFew> next_;  // on the way
  int from_;
  int to_;
};

Edge ordered(int u, int v) { return {std::min(u, v), std::max(u, v)}; }

void append_clique(std::vector<Edge>& edges, int first, int size) {
  for (int u = first; u < first + size; ++u) {
    for (int v = u + 1; v < first + size; ++v) edges.push_back({u, v});
  }
}

// Adds the cliques of k nodes that extend `clique`, which is ascending, until there are more than
// `most`.
void find_cliques(const BitGraph& graph, std::size_t k, std::size_t most, std::vector<int>& clique,
                  std::vector<std::vector<int>>& found, StopPoll& stop) {
  if (clique.size() == k) {
    found.push_back(clique);
    return;
  }
  stop(clique.size() * graph.words());
  const int first = clique.front();
  const int last = clique.back();
  graph.for_common_neighbours(first, last, last, [&](int node) {
    const bool joined = found.size() <= most && std::ranges::all_of(clique, [&](int other) {
                          return other == first || other == last || graph.has(other, node);
                        });
    if (!joined) return;
    clique.push_back(node);
    find_cliques(graph, k, most, clique, found, stop);
    clique.pop_back();
  });
}

// A shortest path between two sets of nodes, as its nodes; empty when none joins them.
std::vector<int> path_between(const BitGraph& graph, const std::vector<int>& from,
                              const std::vector<int>& to) {
  std::vector<int> before(at(graph.node_count()), -1);
  std::vector<std::uint64_t> seen(graph.words(), 0);
  std::vector<int> queue = from;
  for (const int node : from) seen[at(node) / 64] |= std::uint64_t{1} << (at(node) % 64);
  for (std::size_t done = 0; done < queue.size(); ++done) {
    if (std::ranges::binary_search(to, queue[done])) {
      std::vector<int> path;
      for (int node = queue[done]; node >= 0; node = before[at(node)]) path.push_back(node);
      return path;
    }
    graph.for_new_neighbours(queue[done], seen.data(), [&, node = queue[done]](int neighbour) {
      before[at(neighbour)] = node;
      queue.push_back(neighbour);
    });
  }
  return {};
}

/// Paper, section 2.3: a Barabási-Albert graph with two k-cliques hung on it; class 1 when a
/// shortest path between the cliques has at least `threshold` edges. With m <= k - 2 the base has
/// no k-clique of its own. O(n m + k^2) per graph.
class CliqueDistanceTask : public Task {
 public:
  static constexpr std::string_view kName = "clique-distance";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override;
  void validate() const override;
  std::vector<std::string> class_meanings() const override;
  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override;
  std::vector<std::string> axes() const override { return {"nodes", "degree", "distance"}; }
  std::vector<TaskSettings> settings_for(const Regime& regime) const override;
  std::optional<int> class_in(const Regime& regime) const override;
  std::optional<int> distance_in(const Sample& sample) const override;

 private:
  std::string_view id_prefix() const override { return "CD"; }
  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override;
  std::string failure(std::uint32_t attempts, const RandomStream& random,
                      int wanted) const override;

  int min_nodes_ = 5;
  int max_nodes_ = 20;
  int clique_size_ = 4;
  std::optional<int> ba_m_;
  int threshold_ = 4;
  std::string attach_ = "anywhere";  // as the released files; the paper says "distinct"
  std::string node_order_ = "released";
};

ParameterSet CliqueDistanceTask::parameters() {
  ParameterSet set;
  set.add("min-nodes", min_nodes_, 3, 1000, "fewest nodes of the base graph")
      .add("max-nodes", max_nodes_, 3, 1000, "most nodes of the base graph")
      .add("clique-size", clique_size_, 3, 50, "k, nodes of each clique")
      .add("ba-m", ba_m_, 1, 48, "edges a new node brings", "drawn from 1..k-2")
      .add("threshold", threshold_, 2, 1000, "class 1 from this distance on")
      .add("attach", attach_, {"anywhere", "distinct"},
           "where the second clique hangs: on a base node of its own (the paper's text), or "
           "anywhere on the graph so far (the released files)")
      .add("node-order", node_order_, {"released", "shuffled"},
           "released: base nodes first, cliques last; shuffled: any order");
  return set;
}

void CliqueDistanceTask::validate() const {
  if (min_nodes_ > max_nodes_) {
    throw UsageError(
        fmt::format("--min-nodes {} is larger than --max-nodes {}", min_nodes_, max_nodes_));
  }
  const int largest_m = ba_m_.value_or(clique_size_ - 2);
  if (largest_m > clique_size_ - 2) {
    throw UsageError(
        fmt::format("--ba-m {} allows cliques of {} nodes in the base graph; at most "
                    "{} for --clique-size {}",
                    largest_m, clique_size_, clique_size_ - 2, clique_size_));
  }
  if (min_nodes_ <= largest_m) {
    throw UsageError(fmt::format("--min-nodes {} is too small for m = {}", min_nodes_, largest_m));
  }
}

std::vector<std::string> CliqueDistanceTask::class_meanings() const {
  return {fmt::format("fewer than {} edges between the cliques", threshold_),
          fmt::format("at least {} edges between the cliques", threshold_)};
}

std::optional<Sample> CliqueDistanceTask::attempt(RandomStream random, int wanted, StopPoll) const {
  const int base = random.between(min_nodes_, max_nodes_);
  const int m = ba_m_ ? *ba_m_ : random.between(1, clique_size_ - 2);
  const int first = base;
  const int second = base + clique_size_;
  BitGraph graph(second + clique_size_);
  grow_by_preferential_attachment(graph, base, m, random);
  add_clique(graph, first, clique_size_);
  add_clique(graph, second, clique_size_);

  const int first_gate = random.between(first, second - 1);
  const int second_gate = random.between(second, second + clique_size_ - 1);
  const int first_anchor = random.between(0, base - 1);
  int second_anchor = 0;
  if (attach_ == "distinct") {
    second_anchor = random.between(0, base - 2);
    if (second_anchor >= first_anchor) ++second_anchor;
  } else {
    second_anchor = random.between(0, second - 1);
  }
  graph.add(first_anchor, first_gate);
  graph.add(second_anchor, second_gate);

  // A second clique that hangs on the first has its whole path in that one edge.
  const bool on_first = second_anchor >= first;
  const ShortestPath path(graph, on_first ? second_anchor : first_gate, second_gate);
  const int distance = path.edge_count();
  if ((distance >= threshold_ ? 1 : 0) != wanted) return {};

  Sample sample;
  sample.label = wanted;
  sample.origin = "m" + std::to_string(m);
  std::vector<Edge> edges = graph.edges();
  Witness& witness = sample.witness;
  witness.edges.reserve(at(clique_size_) * at(clique_size_ - 1) + at(distance));
  witness.nodes.reserve(at(2 * clique_size_ + distance + 1));
  append_clique(witness.edges, first, clique_size_);
  append_clique(witness.edges, second, clique_size_);
  path.for_edges([&](int u, int v) { witness.edges.push_back(ordered(u, v)); });
  path.for_nodes([&](int node) {
    if (node < first) witness.nodes.push_back(node);
  });
  for (int node = first; node < graph.node_count(); ++node) witness.nodes.push_back(node);

  if (node_order_ == "shuffled") {
    const std::vector<int> number = random_numbers(graph.node_count(), random);
    for (Edge& edge : edges) edge = ordered(number[at(edge.u)], number[at(edge.v)]);
    witness = renumbered(witness, number);
  }
  std::sort(witness.nodes.begin(), witness.nodes.end());
  std::sort(witness.edges.begin(), witness.edges.end());
  sample.graph = Graph(graph.node_count(), std::move(edges));
  return sample;
}

std::optional<TaskAnswer> CliqueDistanceTask::answer(const Graph& graph, StopPoll stop) const {
  const BitGraph bits(graph);
  std::vector<std::vector<int>> cliques;
  for (int node = 0; node < graph.node_count() && cliques.size() <= 2; ++node) {
    std::vector<int> clique = {node};
    find_cliques(bits, at(clique_size_), 2, clique, cliques, stop);
  }
  if (cliques.size() != 2) return {};
  const std::vector<int> path = path_between(bits, cliques[0], cliques[1]);
  if (path.size() < 2) return {};  // they share a node, or nothing joins them

  TaskAnswer answer;
  answer.label = static_cast<int>(path.size()) - 1 >= threshold_ ? 1 : 0;
  Witness& witness = answer.witness;
  for (const std::vector<int>& clique : cliques) {
    for (std::size_t j = 1; j < clique.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) witness.edges.push_back({clique[i], clique[j]});
    }
    witness.nodes.insert(witness.nodes.end(), clique.begin(), clique.end());
  }
  for (std::size_t i = 1; i < path.size(); ++i) {
    witness.edges.push_back(ordered(path[i - 1], path[i]));
  }
  witness.nodes.insert(witness.nodes.end(), path.begin() + 1, path.end() - 1);
  std::sort(witness.nodes.begin(), witness.nodes.end());
  std::sort(witness.edges.begin(), witness.edges.end());
  return answer;
}

// Nodes of a regime are those of the whole graph, the parameters' those of its base.
std::vector<TaskSettings> CliqueDistanceTask::settings_for(const Regime& regime) const {
  TaskSettings settings;
  if (regime.nodes) {
    const int base = *regime.nodes - 2 * clique_size_;
    if (base < 1) {
      throw UsageError(fmt::format("{} nodes are too few for two cliques of {} and a base graph",
                                   *regime.nodes, clique_size_));
    }
    settings["min-nodes"] = settings["max-nodes"] = std::to_string(base);
  }
  if (!regime.degree) return {settings};
  std::vector<TaskSettings> all;
  for (int m = 1; m <= clique_size_ - 2; ++m) {
    settings["ba-m"] = std::to_string(m);
    all.push_back(settings);
  }
  return all;
}

std::optional<int> CliqueDistanceTask::class_in(const Regime& regime) const {
  if (!regime.distance) return {};
  return *regime.distance >= threshold_ ? 1 : 0;
}

// The witness is the two cliques and a shortest path between them.
std::optional<int> CliqueDistanceTask::distance_in(const Sample& sample) const {
  return static_cast<int>(sample.witness.edges.size()) - clique_size_ * (clique_size_ - 1);
}

std::string CliqueDistanceTask::failure(std::uint32_t attempts, const RandomStream&,
                                        int wanted) const {
  return fmt::format("{} base graphs in a row gave no pair of cliques of class {}", attempts,
                     wanted);
}

}  // namespace

TaskInfo clique_distance_task() {
  return {CliqueDistanceTask::kName, "are these two cliques far apart?",
          [] { return std::make_unique<CliqueDistanceTask>(); }};
}

}  // namespace bermuda
