#include "bermuda/method/relabelling.hpp"

#include <algorithm>
#include <numeric>

#include "bermuda/graph/renumber.hpp"

namespace bermuda {

Sample renumbered_sample(const Sample& sample, RandomStream random) {
  Sample result;
  result.id = sample.id;
  result.label = sample.label;
  result.graph = renumbered(sample.graph, random_numbers(sample.graph.node_count(), random));
  return result;
}

double RelabellingReport::stable(std::size_t graph) const {
  return rounds == 0 ? 1 : 1 - static_cast<double>(changes[graph]) / rounds;
}

double RelabellingReport::mean_share() const {
  if (rounds == 0 || changes.empty()) return 0;
  const auto total = std::accumulate(changes.begin(), changes.end(), std::int64_t{0});
  return static_cast<double>(total) / static_cast<double>(changes.size()) / rounds;
}

double RelabellingReport::any_share() const {
  if (changes.empty()) return 0;
  const auto changed = std::ranges::count_if(changes, [](int count) { return count > 0; });
  return static_cast<double>(changed) / static_cast<double>(changes.size());
}

std::vector<Sample> renumbered_samples(Samples samples, int round, std::uint64_t seed,
                                       const Execution& execution) {
  std::vector<Sample> others(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    execution.check_stop();
    const RandomStream random(seed, Purpose::kRelabelling, i, static_cast<std::uint32_t>(round));
    others[i] = renumbered_sample(*samples[i], random);
  }
  return others;
}

RelabellingReport relabelling(const Method& method, Samples samples,
                              std::span<const Prediction> answers, int rounds, std::uint64_t seed,
                              const Execution& execution) {
  RelabellingReport report{rounds, std::vector<int>(samples.size(), 0)};
  std::vector<const Sample*> asked(samples.size());
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Sample> others = renumbered_samples(samples, round, seed, execution);
    for (std::size_t i = 0; i < samples.size(); ++i) asked[i] = &others[i];
    const std::vector<Prediction> again = method.predict(asked, execution);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (again[i].label != answers[i].label) ++report.changes[i];
    }
  }
  return report;
}

}  // namespace bermuda
