#include "telling_ball.hpp"

#include <algorithm>

#include "bermuda/core/index.hpp"

namespace bermuda {
namespace {

// SplitMix64's last step.
std::uint64_t stirred(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

class Ball {
 public:
  Ball(const BitGraph& graph, int centre, int radius)
      : graph_(graph),
        distance_(at(graph.node_count())),
        colour_(at(graph.node_count())),
        next_(at(graph.node_count())) {
    Scratch<std::uint64_t, 1> seen(graph.words());
    std::fill_n(seen.data(), graph.words(), 0);
    std::fill_n(distance_.data(), graph.node_count(), -1);
    seen[at(centre) / 64] |= std::uint64_t{1} << (at(centre) % 64);
    distance_[at(centre)] = 0;
    nodes.push_back(centre);
    for (std::size_t done = 0; done < nodes.size(); ++done) {
      const int node = nodes[done];
      if (distance_[at(node)] == radius) break;
      graph.for_new_neighbours(node, seen.data(), [&](int neighbour) {
        distance_[at(neighbour)] = distance_[at(node)] + 1;
        nodes.push_back(neighbour);
      });
    }
  }

  /// Colours after some rounds of 1-WL inside the ball, which start as distances from the centre.
  std::uint64_t hash(StopPoll& stop) {
    constexpr int kRounds = 3;
    for (const int node : nodes) {
      colour_[at(node)] = stirred(static_cast<std::uint64_t>(distance_[at(node)]) + 1);
    }
    for (int round = 0; round < kRounds; ++round) {
      stop(nodes.size());
      for (const int node : nodes) {
        std::uint64_t sum = 0;
        graph_.for_neighbours(node, [&](int neighbour) {
          if (distance_[at(neighbour)] >= 0) sum += stirred(colour_[at(neighbour)]);
        });
        next_[at(node)] = stirred(colour_[at(node)] * 3 + sum);
      }
      for (const int node : nodes) colour_[at(node)] = next_[at(node)];
    }
    std::uint64_t sum = nodes.size();
    for (const int node : nodes) sum += stirred(colour_[at(node)]);
    return sum;
  }

  std::vector<int> nodes;

 private:
  static constexpr std::size_t kFew = 32;
  const BitGraph& graph_;
  Scratch<int, kFew> distance_;
  Scratch<std::uint64_t, kFew> colour_;
  Scratch<std::uint64_t, kFew> next_;
};

struct Surroundings {
  std::vector<std::uint64_t> hashes;  // by node
  std::vector<std::uint64_t> sorted;
  bool are_everything = true;

  Surroundings(const BitGraph& graph, int radius, StopPoll& stop) {
    for (int node = 0; node < graph.node_count(); ++node) {
      Ball ball(graph, node, radius);
      are_everything = are_everything && ball.nodes.size() == at(graph.node_count());
      hashes.push_back(ball.hash(stop));
    }
    sorted = hashes;
    std::ranges::sort(sorted);
  }
  /// A node whose surroundings the other has not; -1 when there is none.
  int without_equal_in(const Surroundings& other) const {
    const auto found = std::ranges::find_if(hashes, [&](std::uint64_t hash) {
      return !std::ranges::binary_search(other.sorted, hash);
    });
    return found == hashes.end() ? -1 : static_cast<int>(found - hashes.begin());
  }
};

}  // namespace

std::optional<TellingBall> find_telling_ball(const BitGraph& first, const BitGraph& second,
                                             StopPoll& stop) {
  for (int radius = 1;; ++radius) {
    const Surroundings left(first, radius, stop);
    const Surroundings right(second, radius, stop);
    if (const int node = left.without_equal_in(right); node >= 0) {
      return TellingBall{false, Ball(first, node, radius).nodes};
    }
    if (const int node = right.without_equal_in(left); node >= 0) {
      return TellingBall{true, Ball(second, node, radius).nodes};
    }
    if (left.are_everything && right.are_everything) return {};
  }
}

}  // namespace bermuda
