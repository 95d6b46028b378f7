#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bermuda/verify/definition.hpp"
#include "isomorphism.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

/// The places in `lists` within so many steps of one, ascending.
std::vector<int> within_steps(const NeighbourLists& lists, int centre, int steps) {
  std::vector<int> reached = {centre};
  for (std::size_t begin = 0; steps > 0; --steps) {
    const std::size_t end = reached.size();
    for (; begin < end; ++begin) {
      for (const int other : lists[static_cast<std::size_t>(reached[begin])]) {
        if (!contains(reached, other)) reached.push_back(other);
      }
    }
  }
  std::sort(reached.begin(), reached.end());
  return reached;
}

NeighbourLists part_of(const NeighbourLists& lists, const std::vector<int>& places) {
  NeighbourLists part;
  for (const int place : places) {
    part.emplace_back();
    for (const int other : lists[static_cast<std::size_t>(place)]) {
      const auto found = std::ranges::lower_bound(places, other);
      if (found != places.end() && *found == other) {
        part.back().push_back(static_cast<int>(found - places.begin()));
      }
    }
  }
  return part;
}

int place_in(const std::vector<int>& items, int item) {
  return static_cast<int>(std::ranges::find(items, item) - items.begin());
}

struct TwoHalves {
  AdjacencyMatrix graph;
  std::vector<int> nodes[2];  // of each half, ascending
  NeighbourLists lists[2];

  explicit TwoHalves(const AdjacencyMatrix& whole) : graph(whole) {}

  /// Whether no node of the other half has surroundings like this one's.
  bool is_unlike(std::size_t half, const std::vector<int>& ball, int centre, int steps) const {
    const NeighbourLists part = part_of(lists[half], ball);
    const NeighbourLists& others = lists[1 - half];
    for (int other = 0; other < static_cast<int>(others.size()); ++other) {
      const std::vector<int> its = within_steps(others, other, steps);
      if (are_isomorphic(part, part_of(others, its), graph, place_in(ball, centre),
                         place_in(its, other))) {
        return false;
      }
    }
    return true;
  }

  std::optional<std::string> fault_in(const Witness& witness) const {
    const std::size_t half = contains(nodes[0], witness.nodes.front()) ? 0 : 1;
    std::vector<int> ball;
    std::size_t edges = 0;
    for (const int node : witness.nodes) {
      if (!contains(nodes[half], node)) {
        return fmt::format("nodes {} and {} are in different halves", witness.nodes.front(), node);
      }
      ball.push_back(place_in(nodes[half], node));
    }
    for (const auto& list : part_of(lists[half], ball)) edges += list.size();
    if (edges / 2 != witness.edges.size()) {
      return fmt::format("found {}, expected all {} between its nodes",
                         counted(witness.edges.size(), "edge"), edges / 2);
    }
    bool is_ball = false;
    for (const int centre : ball) {
      for (int steps = 0; steps <= static_cast<int>(ball.size()); ++steps) {
        const std::vector<int> reached = within_steps(lists[half], centre, steps);
        if (reached.size() > ball.size()) break;
        if (reached != ball) continue;
        is_ball = true;
        if (is_unlike(half, ball, centre, steps)) return std::nullopt;
        if (ball.size() == nodes[half].size()) break;  // more steps reach no more
      }
    }
    if (!is_ball) return "its nodes are not all those within some steps of one of them";
    return "the other half has a part like it";
  }
};

/// Two connected halves of as many nodes that look alike to 1-WL; class 1 when they are isomorphic.
/// What proves that they are not is all that lies within some steps of a node, when no node of the
/// other half has such surroundings.
class IsomorphicPairDefinition : public Definition {
 public:
  ParameterSet parameters() override { return {}; }

  Recount recount(const AdjacencyMatrix& graph) const override {
    Recount recount;
    if (graph.size() == 0) {
      recount.found = "no node";
      return recount;
    }
    const auto halves = std::make_shared<TwoHalves>(graph);
    halves->nodes[0] = piece_around(graph, 0);
    int other = 0;
    while (other < graph.size() && contains(halves->nodes[0], other)) ++other;
    if (other < graph.size()) halves->nodes[1] = piece_around(graph, other);
    const std::size_t first = halves->nodes[0].size();
    const std::size_t second = halves->nodes[1].size();
    if (first + second < static_cast<std::size_t>(graph.size()) || first != second) {
      recount.found = first + second < static_cast<std::size_t>(graph.size())
                          ? "more than two pieces"
                          : fmt::format("pieces of {} and {} nodes", first, second);
      return recount;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      halves->lists[i] = neighbours_among(graph, halves->nodes[i]);
    }
    if (!look_alike(halves->lists[0], halves->lists[1], graph)) {
      recount.found = "halves that 1-WL tells apart";
      return recount;
    }
    if (are_isomorphic(halves->lists[0], halves->lists[1], graph)) {
      recount.label = 1;
      recount.found = "two isomorphic halves";
      return recount;
    }
    recount.label = 0;
    recount.found = "two halves that are not isomorphic";
    recount.fault_in = [halves](const Witness& witness) { return halves->fault_in(witness); };
    return recount;
  }

  std::string expected(int label) const override {
    return label == 0 ? "two halves that look alike to 1-WL and are not isomorphic"
                      : "two isomorphic halves";
  }
};

}  // namespace

DefinitionInfo isomorphic_pair_definition() {
  return {"isomorphic-pair", [] { return std::make_unique<IsomorphicPairDefinition>(); }};
}

}  // namespace bermuda::verify
