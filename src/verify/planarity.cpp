#include "planarity.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace bermuda::verify {
namespace {

std::size_t place(int node) { return static_cast<std::size_t>(node); }

/// The blocks of a graph, as their edges: those of a block lie on a cycle with each other. Tarjan
/// 1972.
class Blocks {
 public:
  explicit Blocks(const AdjacencyMatrix& graph)
      : graph_(graph), number_(place(graph.size()), 0), low_(place(graph.size()), 0) {
    for (int node = 0; node < graph.size(); ++node) {
      if (number_[place(node)] == 0) visit(node, -1);
    }
  }

  std::vector<std::vector<Edge>> found;

 private:
  void visit(int node, int parent) {
    number_[place(node)] = low_[place(node)] = ++count_;
    graph_.poll(place(graph_.size()));
    for (int other = 0; other < graph_.size(); ++other) {
      if (!graph_.joined(node, other) || other == parent) continue;
      if (number_[place(other)] != 0) {
        if (number_[place(other)] > number_[place(node)]) continue;
        stack_.push_back({node, other});
        low_[place(node)] = std::min(low_[place(node)], number_[place(other)]);
        continue;
      }
      const std::size_t begin = stack_.size();
      stack_.push_back({node, other});
      visit(other, node);
      low_[place(node)] = std::min(low_[place(node)], low_[place(other)]);
      if (low_[place(other)] < number_[place(node)]) continue;
      const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(begin);
      found.emplace_back(first, stack_.end());
      stack_.erase(first, stack_.end());
    }
  }

  const AdjacencyMatrix& graph_;
  std::vector<int> number_;
  std::vector<int> low_;
  std::vector<Edge> stack_;
  int count_ = 0;
};

/// What is missing in a drawing and hangs together without it: one edge, or nodes with the edges
/// that lead to them.
struct Fragment {
  std::vector<int> touches;  // nodes that are drawn
  std::vector<int> nodes;    // those that are not
};

class BlockDrawing {
 public:
  BlockDrawing(const AdjacencyMatrix& graph, const std::vector<Edge>& edges)
      : graph_(graph), lists_(place(graph.size())), is_drawn_(place(graph.size()), false) {
    for (const auto& [u, v] : edges) {
      lists_[place(u)].push_back(v);
      lists_[place(v)].push_back(u);
      missing_.insert({std::min(u, v), std::max(u, v)});
    }
    for (const auto& [u, v] : edges) {
      for (const int node : {u, v}) nodes_.insert(node);
    }
  }

  bool finish() {
    if (missing_.size() < 3) return true;
    const Edge first = *missing_.begin();
    missing_.erase(missing_.begin());
    std::vector<int> cycle = way(first.u, {first.v}, {nodes_.begin(), nodes_.end()});
    missing_.insert(first);
    draw(cycle);
    draw({first.v, first.u});
    add_face(cycle);
    add_face(cycle);
    while (!missing_.empty()) {
      if (!draw_more()) return false;
    }
    return true;
  }

 private:
  bool is_missing(int u, int v) const {
    return missing_.contains({std::min(u, v), std::max(u, v)});
  }

  /// A shortest way along missing edges to one of the ends, through such nodes only.
  std::vector<int> way(int from, const std::vector<int>& ends, const std::set<int>& through) const {
    std::vector<int> before(place(graph_.size()), -1);
    std::vector<int> queue = {from};
    for (std::size_t done = 0; done < queue.size(); ++done) {
      const int node = queue[done];
      graph_.poll(lists_[place(node)].size());
      for (const int other : lists_[place(node)]) {
        if (other == from || before[place(other)] >= 0 || !is_missing(node, other)) continue;
        const bool is_end = std::ranges::find(ends, other) != ends.end();
        if (!is_end && !through.contains(other)) continue;
        before[place(other)] = node;
        if (!is_end) {
          queue.push_back(other);
          continue;
        }
        std::vector<int> path = {other};
        while (path.back() != from) path.push_back(before[place(path.back())]);
        std::reverse(path.begin(), path.end());
        return path;
      }
    }
    return {};
  }

  void draw(const std::vector<int>& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      is_drawn_[place(path[i])] = true;
      if (i > 0) missing_.erase({std::min(path[i - 1], path[i]), std::max(path[i - 1], path[i])});
    }
  }

  void add_face(std::vector<int> corners) {
    std::vector<bool> has(place(graph_.size()), false);
    for (const int node : corners) has[place(node)] = true;
    faces_.push_back(std::move(corners));
    has_corner_.push_back(std::move(has));
  }

  std::vector<Fragment> fragments() const {
    std::vector<Fragment> list;
    for (const auto& [u, v] : missing_) {
      if (is_drawn_[place(u)] && is_drawn_[place(v)]) list.push_back({{u, v}, {}});
    }
    std::vector<bool> seen = is_drawn_;
    for (const int start : nodes_) {
      if (seen[place(start)]) continue;
      Fragment fragment;
      fragment.nodes = {start};
      seen[place(start)] = true;
      std::set<int> touches;
      for (std::size_t done = 0; done < fragment.nodes.size(); ++done) {
        for (const int other : lists_[place(fragment.nodes[done])]) {
          if (is_drawn_[place(other)]) {
            touches.insert(other);
          } else if (!seen[place(other)]) {
            seen[place(other)] = true;
            fragment.nodes.push_back(other);
          }
        }
      }
      fragment.touches.assign(touches.begin(), touches.end());
      list.push_back(std::move(fragment));
    }
    return list;
  }

  std::vector<std::size_t> faces_for(const Fragment& fragment) const {
    std::vector<std::size_t> fitting;
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      graph_.poll(fragment.touches.size());
      if (std::ranges::all_of(fragment.touches,
                              [&](int node) { return has_corner_[face][place(node)]; })) {
        fitting.push_back(face);
      }
    }
    return fitting;
  }

  /// A path of the fragment that has the fewest faces to go to; false when one has none.
  bool draw_more() {
    Fragment chosen;
    std::vector<std::size_t> faces;
    for (Fragment& fragment : fragments()) {
      std::vector<std::size_t> fitting = faces_for(fragment);
      if (fitting.empty()) return false;
      if (!faces.empty() && faces.size() <= fitting.size()) continue;
      faces = std::move(fitting);
      chosen = std::move(fragment);
    }
    const int from = chosen.touches.front();
    const std::vector<int> path = way(from, {chosen.touches.begin() + 1, chosen.touches.end()},
                                      {chosen.nodes.begin(), chosen.nodes.end()});
    split(faces.front(), path);
    draw(path);
    return true;
  }

  /// The path cuts the face in two.
  void split(std::size_t face, const std::vector<int>& path) {
    std::vector<int> corners = faces_[face];
    std::rotate(corners.begin(), std::ranges::find(corners, path.front()), corners.end());
    const auto end = std::ranges::find(corners, path.back());
    std::vector<int> left(corners.begin(), end + 1);
    left.insert(left.end(), path.rbegin() + 1, path.rend() - 1);
    std::vector<int> right(end, corners.end());
    right.insert(right.end(), path.begin(), path.end() - 1);
    faces_.erase(faces_.begin() + static_cast<std::ptrdiff_t>(face));
    has_corner_.erase(has_corner_.begin() + static_cast<std::ptrdiff_t>(face));
    add_face(std::move(left));
    add_face(std::move(right));
  }

  const AdjacencyMatrix& graph_;
  std::vector<std::vector<int>> lists_;
  std::set<int> nodes_;
  std::set<Edge> missing_;
  std::vector<bool> is_drawn_;
  std::vector<std::vector<int>> faces_;
  std::vector<std::vector<bool>> has_corner_;  // by face and node
};

}  // namespace

bool can_be_drawn(const AdjacencyMatrix& graph) {
  const Blocks blocks(graph);
  return std::ranges::all_of(blocks.found, [&](const std::vector<Edge>& edges) {
    return BlockDrawing(graph, edges).finish();
  });
}

}  // namespace bermuda::verify
