#include "node_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"
#include "counts.hpp"
#include "ladder.hpp"

namespace bermuda {
namespace {

constexpr int kMostPlaces = 64;      // from each end; later ones are too rare to learn from
constexpr int kLargestDistance = 8;  // longer ones count as this, none at all as one more

double steps(int distance) {
  return distance < 0 ? kLargestDistance + 1 : std::min(distance, kLargestDistance);
}

std::vector<int> distances_from(const Adjacency& adjacency, int source, StopPoll& stop) {
  std::vector<int> distances(at(adjacency.node_count()), -1);
  std::vector<int> queue{source};
  distances[at(source)] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    stop(at(adjacency.degree(queue[next])) + 1);
    for (const int neighbour : adjacency.of(queue[next])) {
      if (distances[at(neighbour)] >= 0) continue;
      distances[at(neighbour)] = distances[at(queue[next])] + 1;
      queue.push_back(neighbour);
    }
  }
  return distances;
}

// `side` is 0 when places count from the first node, 1 when they count from the last.
class PlaceCounter {
 public:
  PlaceCounter(const Graph& graph, std::span<const int> places, int side, Bag& bag)
      : graph_(graph), places_(places), side_(side), bag_(bag) {}

  void add_nodes(std::span<const int> colours) const {
    const std::vector<int> degrees = graph_.degrees();
    for (int v = 0; v < graph_.node_count(); ++v) {
      const int place = places_[at(v)];
      if (place >= kMostPlaces) continue;
      const int key = side_ * kMostPlaces + place;
      bag_.add(make_symbol(SymbolKind::kPositionDegree, key, degrees[at(v)]));
      if (!colours.empty()) {
        bag_.add(make_symbol(SymbolKind::kPositionLabel, key, colours[at(v)]));
      }
    }
  }

  void add_edges() const {
    for (const Edge& edge : graph_.edges()) {
      const auto [low, high] = std::minmax(places_[at(edge.u)], places_[at(edge.v)]);
      if (high >= kMostPlaces) continue;
      bag_.add(make_symbol(SymbolKind::kPositionEdge, side_ * kMostPlaces + low, high));
    }
  }

  void add_distances(const Adjacency& adjacency, StopPoll& stop) const {
    const int count = std::min(kFileEnd, graph_.node_count());
    std::vector<int> node_at(at(graph_.node_count()));
    for (int v = 0; v < graph_.node_count(); ++v) node_at[at(places_[at(v)])] = v;
    std::vector<double> means;
    for (int i = 0; i < count; ++i) {
      const std::vector<int> distances = distances_from(adjacency, node_at[at(i)], stop);
      double sum = 0;
      for (const int distance : distances) sum += steps(distance);
      means.push_back(sum / std::max(1, graph_.node_count() - 1));
      for (int j = 0; j < i; ++j) {
        bag_.measure(make_symbol(SymbolKind::kPositionDistance, side_ * kFileEnd + i, j),
                     steps(distances[at(node_at[at(j)])]) - (means[at(i)] + means[at(j)]) / 2);
      }
    }
  }

 private:
  const Graph& graph_;
  std::span<const int> places_;
  int side_;
  Bag& bag_;
};

}  // namespace

void add_node_places(const Graph& graph, std::span<const int> colours,
                     std::span<const int> place_of, Bag& bag, StopPoll stop) {
  const Adjacency adjacency(graph);
  std::vector<int> places(place_of.begin(), place_of.end());
  for (const int side : {0, 1}) {
    const PlaceCounter counter(graph, places, side, bag);
    counter.add_nodes(colours);
    counter.add_edges();
    counter.add_distances(adjacency, stop);
    for (int& place : places) place = graph.node_count() - 1 - place;
  }
}

std::vector<int> file_order(int node_count) {
  std::vector<int> places(at(node_count));
  std::iota(places.begin(), places.end(), 0);
  return places;
}

std::vector<int> shuffled_order(int node_count, std::uint64_t seed, std::uint64_t item) {
  std::vector<int> places = file_order(node_count);
  RandomStream random(seed, Purpose::kProbe, item);
  random.shuffle(std::span(places));
  return places;
}

std::optional<Rung> make_placeless_rung(const LadderInput& input) {
  if (!input.node_labels) return {};
  return Rung{{.name = "degree pairs and node labels"},
              [samples = input.samples, &colours = input.colours](std::size_t item, Bag& bag) {
                add_size(samples[item]->graph, bag);
                add_degrees(samples[item]->graph, bag);
                add_degree_pairs(samples[item]->graph, bag);
                add_colours(colours[item], 0, bag);
              },
              {"degree-pairs", "node-labels"}};
}

Rung make_node_index_rung(const LadderInput& input, bool shuffled) {
  const bool labels = input.node_labels;
  return {{.name = shuffled ? "node-index shuffled" : "node-index",
           .description = fmt::format(
               "degree pairs{0}; degrees{1} and edges by place in the file; distances among the "
               "first and among the last {2} nodes",
               labels ? " and node labels" : "", labels ? ", labels" : "", kFileEnd),
           .kind = ProbeKind::kNodeOrder},
          [=, samples = input.samples, &colours = input.colours, seed = input.options.seed,
           stop = input.stop](std::size_t item, Bag& bag) {
            const Graph& graph = samples[item]->graph;
            add_size(graph, bag);
            add_degrees(graph, bag);
            add_degree_pairs(graph, bag);
            if (labels) add_colours(colours[item], 0, bag);
            const std::vector<int> places = shuffled
                                                ? shuffled_order(graph.node_count(), seed, item)
                                                : file_order(graph.node_count());
            const std::span<const int> node_colours =
                labels ? std::span<const int>(colours[item][0]) : std::span<const int>();
            add_node_places(graph, node_colours, places, bag, stop);
          },
          {labels ? "degree pairs and node labels" : "degree-pairs"}};
}

}  // namespace bermuda
