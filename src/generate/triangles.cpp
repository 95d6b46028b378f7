#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "bit_graph.hpp"

namespace bermuda {
namespace {

constexpr int kMinEdges = 3;
constexpr std::size_t kTopEdges = 5;

// Points of the unit square on a grid of 2^31 steps per side: squared distances are exact integers,
// so that no machine can round them differently.
struct Point {
  std::int64_t x;
  std::int64_t y;
};
constexpr double kGridSteps = 0x1.0p31;

std::vector<Point> random_points(int count, RandomStream& random) {
  std::vector<Point> points(static_cast<std::size_t>(count));
  for (Point& point : points) point = {random.next_u32() >> 1, random.next_u32() >> 1};
  return points;
}

std::uint64_t squared_distance(Point a, Point b) {
  const std::int64_t dx = a.x - b.x;
  const std::int64_t dy = a.y - b.y;
  return static_cast<std::uint64_t>(dx * dx) + static_cast<std::uint64_t>(dy * dy);
}

// Joins each node with its k - 1 nearest others (ties: the smaller number).
void join_nearest(BitGraph& graph, const std::vector<Point>& points, int k, StopPoll& stop) {
  const auto count = static_cast<std::size_t>(graph.node_count());
  const std::size_t keep = std::min(static_cast<std::size_t>(k - 1), count - 1);
  // Distance with the node's number in its lowest bits: one comparison orders both. What the
  // distance loses is far below a grid step of the square's side.
  constexpr std::uint64_t kNumberBits = 1023;
  std::vector<std::uint64_t> keys(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    stop(count);
    for (std::size_t j = i + 1; j < count; ++j) {
      const std::uint64_t distance = squared_distance(points[i], points[j]) & ~kNumberBits;
      keys[i * count + j] = distance | j;
      keys[j * count + i] = distance | i;
    }
    keys[i * count + i] = ~std::uint64_t{0};
    const auto row = keys.begin() + static_cast<std::ptrdiff_t>(i * count);
    const auto kept = row + static_cast<std::ptrdiff_t>(keep);
    std::partial_sort(row, kept, row + static_cast<std::ptrdiff_t>(count));
    for (auto key = row; key != kept; ++key) {
      graph.add(static_cast<int>(i), static_cast<int>(*key & kNumberBits));
    }
  }
}

void join_closer_than(BitGraph& graph, const std::vector<Point>& points, double radius) {
  const auto limit = static_cast<std::uint64_t>(radius * radius * kGridSteps * kGridSteps);
  for (int i = 0; i < graph.node_count(); ++i) {
    for (int j = i + 1; j < graph.node_count(); ++j) {
      const auto distance = squared_distance(points[static_cast<std::size_t>(i)],
                                             points[static_cast<std::size_t>(j)]);
      if (distance < limit) graph.add(i, j);
    }
  }
}

void join_at_random(BitGraph& graph, int min_partners, int max_partners, RandomStream& random) {
  const int nodes = graph.node_count();
  for (int i = 0; i < nodes; ++i) {
    const int partners = random.between(min_partners, max_partners);
    for (int p = 0; p < partners; ++p) {
      const int j = random.between(0, nodes - 1);
      if (i != j) graph.add(i, j);
    }
  }
}

// The edges of a graph that shrinks, with the number of triangles that each sits in.
class TriangleCensus {
 public:
  TriangleCensus(BitGraph& graph, StopPoll& stop)
      : graph_(graph),
        nodes_(static_cast<std::size_t>(graph.node_count())),
        edges_(graph.edges()),
        sits_in_(nodes_ * nodes_) {
    std::fill_n(sits_in_.data(), nodes_ * nodes_, 0);
    for (const Edge& edge : edges_) {
      stop(nodes_);
      graph_.for_common_neighbours(edge.u, edge.v, edge.v, [&](int w) {
        ++triangles_;
        ++sits_in(edge.u, edge.v);
        ++sits_in(edge.u, w);
        ++sits_in(edge.v, w);
      });
    }
  }

  int triangles() const { return triangles_; }
  int edge_count() const { return static_cast<int>(edges_.size()); }

  /// Removes one of the kTopEdges edges that sit in most triangles (ties: the smaller edge), if
  /// at least `wanted` triangles are left then.
  void remove_top_edge(int wanted, RandomStream& random) {
    std::array<Ranked, kTopEdges + 1> top;
    std::size_t size = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const int count = sits_in(edges_[i].u, edges_[i].v);
      if (count == 0 || (size == kTopEdges && count <= top[size - 1].triangles)) continue;
      std::size_t place = size;
      for (; place > 0 && count > top[place - 1].triangles; --place) top[place] = top[place - 1];
      top[place] = {count, i};
      size = std::min(size + 1, kTopEdges);
    }
    const Ranked pick = top[random.below(static_cast<std::uint32_t>(size))];
    if (triangles_ - pick.triangles >= wanted) remove(pick);
  }

 private:
  struct Ranked {
    int triangles;
    std::size_t index;
  };

  int& sits_in(int u, int v) {
    return sits_in_[static_cast<std::size_t>(u) * nodes_ + static_cast<std::size_t>(v)];
  }

  void remove(Ranked pick) {
    const Edge edge = edges_[pick.index];
    graph_.for_neighbours(edge.u, [&](int w) {
      if (!graph_.has(edge.v, w)) return;
      --sits_in(std::min(edge.u, w), std::max(edge.u, w));
      --sits_in(std::min(edge.v, w), std::max(edge.v, w));
    });
    graph_.remove(edge.u, edge.v);
    edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(pick.index));
    triangles_ -= pick.triangles;
  }

  BitGraph& graph_;
  std::size_t nodes_;
  std::vector<Edge> edges_;
  Scratch<int, 512> sits_in_;  // for pairs u < v
  int triangles_ = 0;
};

// Removes edges until exactly `wanted` triangles and at least kMinEdges edges remain; false when
// that cannot be reached.
bool reduce_triangles(BitGraph& graph, int wanted, RandomStream& random, StopPoll& stop) {
  TriangleCensus census(graph, stop);
  std::int64_t tries = std::int64_t{census.triangles()} * 10;
  while (census.triangles() > wanted && tries-- > 0) {
    stop(static_cast<std::size_t>(census.edge_count()));
    census.remove_top_edge(wanted, random);
  }
  return census.triangles() == wanted && census.edge_count() >= kMinEdges;
}

/// A graph without its isolated nodes, the others numbered anew in the same order.
class Compacted {
 public:
  explicit Compacted(const BitGraph& graph) : graph_(graph), number_(at(graph.node_count())) {
    for (int u = 0; u < graph.node_count(); ++u) {
      number_[at(u)] = kept_;
      if (!graph.is_isolated(u)) ++kept_;
    }
  }

  Graph graph() const {
    std::vector<Edge> edges;
    edges.reserve(at(kept_) * 2);
    graph_.for_edges([&](int u, int v) { edges.push_back({number_[at(u)], number_[at(v)]}); });
    return Graph(kept_, std::move(edges));
  }

  /// The only triangle.
  Witness triangle() const {
    Witness witness;
    graph_.for_edges([&](int first, int second) {
      graph_.for_common_neighbours(first, second, second, [&](int third) {
        const int u = number_[at(first)];
        const int v = number_[at(second)];
        const int w = number_[at(third)];
        witness = {{u, v, w}, {{u, v}, {u, w}, {v, w}}};
      });
    });
    return witness;
  }

 private:
  const BitGraph& graph_;
  Scratch<int, 64> number_;
  int kept_ = 0;
};

/// Paper, section 2.2: graphs with exactly one triangle (class 1) or none (class 0), made from
/// graphs with many by removing edges that sit in triangles. O(n^2 + removals * edges) per graph.
class TrianglesTask : public Task {
 public:
  static constexpr std::string_view kName = "triangles";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override;
  void validate() const override;
  std::vector<std::string> class_meanings() const override {
    return {"no triangle", "exactly one triangle"};
  }
  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override;
  std::vector<std::string> axes() const override;
  std::vector<TaskSettings> settings_for(const Regime& regime) const override;

 private:
  std::string_view id_prefix() const override { return "TR"; }
  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override;
  std::string failure(std::uint32_t attempts, const RandomStream& random,
                      int wanted) const override;
  const std::string& family_of(const RandomStream& random) const;

  int min_nodes_ = 6;
  int max_nodes_ = 20;
  // The released files name half their graphs K (knn) and half T (radius), but all of them are of
  // this family: docs/data.md has the evidence.
  std::vector<std::string> families_ = {"random"};
  int min_k_ = 3;
  int max_k_ = 6;
  std::vector<double> radii_ = {0.15, 0.20, 0.25, 0.30};
  int min_partners_ = 1;
  int max_partners_ = 3;
};

ParameterSet TrianglesTask::parameters() {
  ParameterSet set;
  set.add("min-nodes", min_nodes_, 3, 1000, "fewest nodes of a base graph")
      .add("max-nodes", max_nodes_, 3, 1000, "most nodes of a base graph")
      .add("families", families_, {"knn", "radius", "random"},
           "kinds of base graph, each drawn equally often")
      .add("min-k", min_k_, 2, 1000, "knn: smallest k; a node is joined to its k-1 nearest others")
      .add("max-k", max_k_, 2, 1000, "knn: largest k")
      .add("radii", radii_, 1e-3, 1.5, "radius: pairs closer than one of these are joined")
      .add("min-partners", min_partners_, 1, 100, "random: fewest partners a node draws")
      .add("max-partners", max_partners_, 1, 100, "random: most partners a node draws");
  return set;
}

void TrianglesTask::validate() const {
  const auto ordered = [](const char* low_name, int low, const char* high_name, int high) {
    if (low > high) {
      throw UsageError(
          fmt::format("--{} {} is larger than --{} {}", low_name, low, high_name, high));
    }
  };
  ordered("min-nodes", min_nodes_, "max-nodes", max_nodes_);
  ordered("min-k", min_k_, "max-k", max_k_);
  ordered("min-partners", min_partners_, "max-partners", max_partners_);
}

// Drawn once per graph: a family that fails more often must not become rarer.
const std::string& TrianglesTask::family_of(const RandomStream& random) const {
  RandomStream choice = shared_by_attempts(random);
  return families_[choice.below(static_cast<std::uint32_t>(families_.size()))];
}

std::optional<Sample> TrianglesTask::attempt(RandomStream random, int wanted, StopPoll stop) const {
  const std::string& family = family_of(random);
  const int nodes = random.between(min_nodes_, max_nodes_);
  BitGraph graph(nodes);
  Sample sample;
  if (family == "knn") {
    const int k = random.between(min_k_, max_k_);
    join_nearest(graph, random_points(nodes, random), k, stop);
    sample.origin = fmt::format("knn{}", k);
  } else if (family == "radius") {
    const double radius = radii_[random.below(static_cast<std::uint32_t>(radii_.size()))];
    join_closer_than(graph, random_points(nodes, random), radius);
    sample.origin = fmt::format("radius{}", radius);
  } else {
    join_at_random(graph, min_partners_, max_partners_, random);
    sample.origin = "random";
  }
  if (!reduce_triangles(graph, wanted, random, stop)) return {};
  sample.label = wanted;
  const Compacted compacted(graph);
  sample.graph = compacted.graph();
  if (wanted == 1) sample.witness = compacted.triangle();
  return sample;
}

std::optional<TaskAnswer> TrianglesTask::answer(const Graph& graph, StopPoll stop) const {
  const BitGraph bits(graph);
  TaskAnswer answer;
  for (const auto [u, v] : graph.edges()) {
    stop(bits.words());
    bits.for_common_neighbours(u, v, v, [&, u = u, v = v](int w) {
      ++answer.label;
      answer.witness = {{u, v, w}, {{u, v}, {u, w}, {v, w}}};
    });
    if (answer.label > 1) return {};
  }
  return answer;
}

// Only random base graphs can be had at any density; the others have k and radii.
std::vector<std::string> TrianglesTask::axes() const {
  if (families_ == std::vector<std::string>{"random"}) return {"nodes", "degree"};
  return {"nodes"};
}

// Isolated nodes are dropped, so that a graph has at most as many nodes as its base. A node draws
// p partners, which makes a mean degree of about 2p, and triangles are then removed: how much that
// takes depends on the size, so all densities that may come near are offered.
std::vector<TaskSettings> TrianglesTask::settings_for(const Regime& regime) const {
  TaskSettings settings;
  if (regime.nodes) {
    settings["min-nodes"] = settings["max-nodes"] = std::to_string(*regime.nodes);
  }
  if (!regime.degree) return {settings};
  constexpr int kMostPartners = 100;
  const int most = std::clamp(static_cast<int>(2 * regime.degree->middle()) + 2, 1, kMostPartners);
  std::vector<TaskSettings> all;
  for (int least = 1; least <= most; ++least) {
    for (const int largest : {least, least + 1}) {
      if (largest > kMostPartners) continue;
      settings["min-partners"] = std::to_string(least);
      settings["max-partners"] = std::to_string(largest);
      all.push_back(settings);
    }
  }
  return all;
}

std::string TrianglesTask::failure(std::uint32_t attempts, const RandomStream& random,
                                   int wanted) const {
  return fmt::format(
      "{} base graphs of family {} in a row could not be made into one with {} triangles and at "
      "least {} edges",
      attempts, family_of(random), wanted, kMinEdges);
}

}  // namespace

TaskInfo triangles_task() {
  return {TrianglesTask::kName, "is there a triangle in this graph?",
          [] { return std::make_unique<TrianglesTask>(); }};
}

}  // namespace bermuda
