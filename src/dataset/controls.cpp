#include "bermuda/dataset/controls.hpp"

#include <algorithm>
#include <numeric>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/graph/renumber.hpp"

namespace bermuda {
namespace {

Witness renumbered_witness(const Witness& witness, std::span<const int> number) {
  Witness result;
  for (const int node : witness.nodes) result.nodes.push_back(number[at(node)]);
  for (const auto& [u, v] : witness.edges) {
    const auto [low, high] = std::minmax(number[at(u)], number[at(v)]);
    result.edges.push_back({low, high});
  }
  std::ranges::sort(result.nodes);
  std::ranges::sort(result.edges);
  return result;
}

}  // namespace

void shuffle_nodes(DataSet& data, std::uint64_t seed) {
  std::uint64_t place = 0;
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      std::vector<int> number(at(sample.graph.node_count()));
      std::iota(number.begin(), number.end(), 0);
      RandomStream(seed, Purpose::kShuffledNodes, place++).shuffle(std::span(number));
      sample.graph = renumbered(sample.graph, number);
      sample.witness = renumbered_witness(sample.witness, number);
    }
  }
}

void permute_classes(DataSet& data, std::uint64_t seed) {
  std::vector<Sample*> learned;
  for (Split& split : data.splits) {
    if (data.has_test_split() && split.name != "train") continue;
    for (Sample& sample : split.samples) learned.push_back(&sample);
  }
  std::vector<int> classes;
  for (const Sample* sample : learned) classes.push_back(sample->label);
  RandomStream(seed, Purpose::kPermutedClasses).shuffle(std::span(classes));
  for (std::size_t i = 0; i < learned.size(); ++i) {
    learned[i]->label = classes[i];
    learned[i]->witness = {};
  }
}

}  // namespace bermuda
