#include "arc_switches.hpp"

#include <map>
#include <utility>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/wl.hpp"

namespace bermuda {
namespace {

constexpr int kDraws = 16;  // before a graph counts as one without a switch

/// What must be equal of two arcs, as two numbers.
std::vector<std::pair<int, int>> arc_keys(const Graph& graph, const std::vector<int>& ends,
                                          const Sameness& same) {
  std::vector<std::pair<int, int>> keys(ends.size(), {0, 0});
  if (same.kind == Sameness::Kind::kDegreePairs) {
    const std::vector<int> degrees = graph.degrees();
    for (std::size_t arc = 0; arc < ends.size(); ++arc)
      keys[arc].second = degrees[at(ends[arc ^ 1])];
  } else if (same.kind == Sameness::Kind::kColours) {
    WlColouring colouring({.rounds = same.rounds - 1});
    const std::vector<int> colours = colouring.learn(graph).back();
    for (std::size_t arc = 0; arc < ends.size(); ++arc) {
      keys[arc] = {colours[at(ends[arc])], colours[at(ends[arc ^ 1])]};
    }
  }
  return keys;
}

}  // namespace

SwitchGraph::SwitchGraph(const Graph& graph, const Sameness& same)
    : node_labels_(graph.node_labels()), bits_(graph) {
  for (const Edge& edge : graph.edges()) {
    ends_.push_back(edge.u);
    ends_.push_back(edge.v);
  }
  const auto keys = arc_keys(graph, ends_, same);
  std::map<std::pair<int, int>, std::size_t> number;
  for (std::size_t arc = 0; arc < ends_.size(); ++arc) {
    const auto [place, is_new] = number.try_emplace(keys[arc], groups_.size());
    if (is_new) groups_.emplace_back();
    groups_[place->second].push_back(arc);
    group_of_.push_back(place->second);
  }
  for (std::size_t arc = 0; arc < ends_.size(); ++arc) {
    if (groups_[group_of_[arc]].size() > 1) movable_.push_back(arc);
  }
}

bool SwitchGraph::is_possible(const ArcSwitch& heads) const {
  const int a = tail(heads.first);
  const int b = head(heads.first);
  const int c = tail(heads.second);
  const int d = head(heads.second);
  return a != c && b != d && a != d && b != c && !bits_.has(a, d) && !bits_.has(c, b);
}

std::optional<ArcSwitch> SwitchGraph::draw(RandomStream& random) const {
  if (movable_.empty()) return {};
  for (int i = 0; i < kDraws; ++i) {
    const std::size_t arc = movable_[random.below(static_cast<std::uint32_t>(movable_.size()))];
    const std::vector<std::size_t>& group = groups_[group_of_[arc]];
    const ArcSwitch heads{arc, group[random.below(static_cast<std::uint32_t>(group.size()))]};
    if (is_possible(heads)) return heads;
  }
  return {};
}

std::size_t SwitchGraph::pair_count() const {
  std::size_t count = 0;
  for (const std::vector<std::size_t>& group : groups_) {
    count += group.size() * (group.size() - 1) / 2;
  }
  return count;
}

std::vector<ArcSwitch> SwitchGraph::all() const {
  std::vector<ArcSwitch> switches;
  for (const std::vector<std::size_t>& group : groups_) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const ArcSwitch heads{group[i], group[j]};
        if (is_possible(heads)) switches.push_back(heads);
      }
    }
  }
  return switches;
}

void SwitchGraph::apply(const ArcSwitch& heads) {
  bits_.remove(tail(heads.first), head(heads.first));
  bits_.remove(tail(heads.second), head(heads.second));
  std::swap(ends_[heads.first ^ 1], ends_[heads.second ^ 1]);
  bits_.add(tail(heads.first), head(heads.first));
  bits_.add(tail(heads.second), head(heads.second));
}

Graph SwitchGraph::graph() const { return {bits_.node_count(), bits_.edges(), node_labels_}; }

}  // namespace bermuda
