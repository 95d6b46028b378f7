#include "brute_force.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bermuda::verify {
namespace {

/// `candidates`: the nodes after the last of the clique that are joined to all of it.
void extend_clique(const AdjacencyMatrix& matrix, std::size_t k, std::size_t most,
                   const std::vector<int>& candidates, std::vector<int>& clique,
                   std::vector<std::vector<int>>& found) {
  if (clique.size() == k) {
    found.push_back(clique);
    return;
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    matrix.poll(candidates.size() - i);
    const bool enough_left = clique.size() + candidates.size() - i >= k;
    if (!enough_left || found.size() >= most) return;
    std::vector<int> next;
    for (std::size_t j = i + 1; j < candidates.size(); ++j) {
      if (matrix.joined(candidates[i], candidates[j])) next.push_back(candidates[j]);
    }
    clique.push_back(candidates[i]);
    extend_clique(matrix, k, most, next, clique, found);
    clique.pop_back();
  }
}

}  // namespace

AdjacencyMatrix::AdjacencyMatrix(const Graph& graph, const StopPoll& stop)
    : size_(graph.node_count()),
      cells_(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 0),
      stop_(stop) {
  const auto cell = [&](int u, int v) -> char& {
    return cells_[static_cast<std::size_t>(u) * static_cast<std::size_t>(size_) +
                  static_cast<std::size_t>(v)];
  };
  for (const Edge& edge : graph.edges()) cell(edge.u, edge.v) = cell(edge.v, edge.u) = 1;
}

AdjacencyMatrix AdjacencyMatrix::without(int u, int v) const {
  AdjacencyMatrix rest = *this;
  const auto index = [&](int row, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(column);
  };
  rest.cells_[index(u, v)] = rest.cells_[index(v, u)] = 0;
  return rest;
}

std::vector<std::array<int, 3>> find_triangles(const AdjacencyMatrix& matrix, std::size_t most) {
  std::vector<std::array<int, 3>> found;
  for (int a = 0; a < matrix.size(); ++a) {
    for (int b = a + 1; b < matrix.size(); ++b) {
      if (!matrix.joined(a, b)) continue;
      matrix.poll(static_cast<std::size_t>(matrix.size() - b));
      if (found.size() >= most) return found;
      for (int c = b + 1; c < matrix.size(); ++c) {
        if (matrix.joined(a, c) && matrix.joined(b, c)) found.push_back({a, b, c});
      }
    }
  }
  return found;
}

std::vector<std::vector<int>> find_cliques(const AdjacencyMatrix& matrix, int k, std::size_t most) {
  std::vector<std::vector<int>> found;
  std::vector<int> clique;
  std::vector<int> nodes(static_cast<std::size_t>(matrix.size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  extend_clique(matrix, static_cast<std::size_t>(k), most, nodes, clique, found);
  return found;
}

std::optional<int> distance_between(const AdjacencyMatrix& matrix, std::span<const int> from,
                                    std::span<const int> to) {
  std::vector<bool> reached(static_cast<std::size_t>(matrix.size()), false);
  std::vector<int> front(from.begin(), from.end());
  for (const int v : front) reached[static_cast<std::size_t>(v)] = true;
  for (int distance = 0; !front.empty(); ++distance) {
    for (const int v : to) {
      if (reached[static_cast<std::size_t>(v)]) return distance;
    }
    std::vector<int> next;
    for (const int u : front) {
      matrix.poll(static_cast<std::size_t>(matrix.size()));
      for (int v = 0; v < matrix.size(); ++v) {
        if (!matrix.joined(u, v) || reached[static_cast<std::size_t>(v)]) continue;
        reached[static_cast<std::size_t>(v)] = true;
        next.push_back(v);
      }
    }
    front = std::move(next);
  }
  return std::nullopt;
}

std::vector<std::vector<int>> find_components(const AdjacencyMatrix& matrix) {
  std::vector<std::vector<int>> components;
  std::vector<bool> reached(static_cast<std::size_t>(matrix.size()), false);
  for (int start = 0; start < matrix.size(); ++start) {
    if (reached[static_cast<std::size_t>(start)]) continue;
    reached[static_cast<std::size_t>(start)] = true;
    std::vector<int> component = {start};
    for (std::size_t done = 0; done < component.size(); ++done) {
      matrix.poll(static_cast<std::size_t>(matrix.size()));
      for (int v = 0; v < matrix.size(); ++v) {
        if (!matrix.joined(component[done], v) || reached[static_cast<std::size_t>(v)]) continue;
        reached[static_cast<std::size_t>(v)] = true;
        component.push_back(v);
      }
    }
    std::sort(component.begin(), component.end());
    components.push_back(std::move(component));
  }
  return components;
}

}  // namespace bermuda::verify
