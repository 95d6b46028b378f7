#include "isomorphism.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace bermuda::verify {
namespace {

std::size_t index_of(int node) { return static_cast<std::size_t>(node); }

/// Two graphs of n nodes whose nodes carry colours: 0..n-1 are the first's, the others the
/// second's.
class ColouredPair {
 public:
  ColouredPair(const NeighbourLists& first, const NeighbourLists& second,
               const AdjacencyMatrix& poll)
      : size_(first.size()), lists_(first), poll_(poll) {
    for (std::vector<int> list : second) {
      for (int& node : list) node += static_cast<int>(size_);
      lists_.push_back(std::move(list));
    }
  }

  /// Refines until nothing changes; false as soon as the graphs have not as many of each colour.
  bool refine(std::vector<int>& colours) const {
    for (std::size_t before = 0;;) {
      std::map<std::pair<int, std::vector<int>>, std::pair<int, int>> found;  // name, balance
      std::vector<const std::pair<int, int>*> entry(colours.size());
      for (std::size_t node = 0; node < colours.size(); ++node) {
        poll_.poll(lists_[node].size() + 1);
        std::vector<int> around;
        for (const int other : lists_[node]) around.push_back(colours[index_of(other)]);
        std::sort(around.begin(), around.end());
        auto& value = found.try_emplace({colours[node], std::move(around)}, -1, 0).first->second;
        value.second += node < size_ ? 1 : -1;
        entry[node] = &value;
      }
      int name = 0;
      for (auto& [signature, value] : found) {
        if (value.second != 0) return false;
        value.first = name++;
      }
      for (std::size_t node = 0; node < colours.size(); ++node) colours[node] = entry[node]->first;
      if (found.size() == before) return true;
      before = found.size();
    }
  }

  /// Whether colours can be refined to an isomorphism.
  bool can_match(std::vector<int> colours) const {
    if (!refine(colours)) return false;
    std::map<int, std::vector<std::size_t>> cells;  // half of each is the first's, in front
    for (std::size_t node = 0; node < colours.size(); ++node) cells[colours[node]].push_back(node);
    const std::vector<std::size_t>* smallest = nullptr;
    for (const auto& [colour, cell] : cells) {
      if (cell.size() > 2 && (smallest == nullptr || cell.size() < smallest->size())) {
        smallest = &cell;
      }
    }
    if (smallest == nullptr) return keeps_edges(cells);
    const int fresh = static_cast<int>(cells.size());
    colours[smallest->front()] = fresh;
    for (std::size_t i = smallest->size() / 2; i < smallest->size(); ++i) {
      std::vector<int> tried = colours;
      tried[(*smallest)[i]] = fresh;
      if (can_match(std::move(tried))) return true;
    }
    return false;
  }

 private:
  bool keeps_edges(const std::map<int, std::vector<std::size_t>>& cells) const {
    std::vector<int> image(size_);
    for (const auto& [colour, cell] : cells) image[cell[0]] = static_cast<int>(cell[1]);
    for (std::size_t node = 0; node < size_; ++node) {
      std::vector<int> mapped;
      for (const int other : lists_[node]) mapped.push_back(image[index_of(other)]);
      std::vector<int> expected = lists_[index_of(image[node])];
      std::sort(mapped.begin(), mapped.end());
      std::sort(expected.begin(), expected.end());
      if (mapped != expected) return false;
    }
    return true;
  }

  std::size_t size_;
  NeighbourLists lists_;
  const AdjacencyMatrix& poll_;
};

}  // namespace

NeighbourLists neighbours_among(const AdjacencyMatrix& graph, const std::vector<int>& nodes) {
  NeighbourLists lists(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    graph.poll(nodes.size());
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (graph.joined(nodes[i], nodes[j])) lists[i].push_back(static_cast<int>(j));
    }
  }
  return lists;
}

std::vector<int> piece_around(const AdjacencyMatrix& graph, int node) {
  std::vector<bool> seen(index_of(graph.size()), false);
  std::vector<int> piece = {node};
  seen[index_of(node)] = true;
  for (std::size_t done = 0; done < piece.size(); ++done) {
    graph.poll(index_of(graph.size()));
    for (int other = 0; other < graph.size(); ++other) {
      if (seen[index_of(other)] || !graph.joined(piece[done], other)) continue;
      seen[index_of(other)] = true;
      piece.push_back(other);
    }
  }
  std::sort(piece.begin(), piece.end());
  return piece;
}

bool look_alike(const NeighbourLists& first, const NeighbourLists& second,
                const AdjacencyMatrix& poll) {
  if (first.size() != second.size()) return false;
  std::vector<int> colours(2 * first.size(), 0);
  return ColouredPair(first, second, poll).refine(colours);
}

bool are_isomorphic(const NeighbourLists& first, const NeighbourLists& second,
                    const AdjacencyMatrix& poll, int first_root, int second_root) {
  if (first.size() != second.size()) return false;
  std::vector<int> colours(2 * first.size(), 0);
  if (first_root >= 0) colours[index_of(first_root)] = 1;
  if (second_root >= 0) colours[first.size() + index_of(second_root)] = 1;
  return ColouredPair(first, second, poll).can_match(std::move(colours));
}

}  // namespace bermuda::verify
