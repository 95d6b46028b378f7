#include "bermuda/dataset/controls.hpp"

#include "bermuda/core/random.hpp"
#include "bermuda/graph/renumber.hpp"

namespace bermuda {

void shuffle_nodes(DataSet& data, std::uint64_t seed) {
  std::uint64_t place = 0;
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      RandomStream random(seed, Purpose::kShuffledNodes, place++);
      const std::vector<int> number = random_numbers(sample.graph.node_count(), random);
      sample.graph = renumbered(sample.graph, number);
      sample.witness = renumbered(sample.witness, number);
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
