#include "bermuda/generate/pairs.hpp"

#include <map>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "task_data.hpp"
#include "twin_maker.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kPairsChunk = 16;

}  // namespace

DataSet make_pairs(const Task& task, const Sameness& same, std::uint64_t seed, std::size_t count,
                   const Execution& execution) {
  if (count == 0) throw UsageError("found 0 pairs to make, expected at least 1");
  if (same.kind == Sameness::Kind::kNothing) {
    throw UsageError("found nothing that twins agree in, expected degrees at least");
  }
  const TwinMaker maker(task, same, seed, execution);
  DataSet data = data_for(task);
  data.provenance["seed"] = seed;

  Split split{"all", std::vector<Sample>(2 * count)};
  std::vector<int> switches(count);
  std::vector<std::uint32_t> attempts(count);
  {
    const Stage stage(execution, "pairs", count);
    parallel_for(execution, count, kPairsChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Twins twins = maker.make(i, execution);
        for (const std::size_t which : {0U, 1U}) {
          twins.samples[which].id = task.id_of(i) + (which == 0 ? "-a" : "-b");
          split.samples[2 * i + which] = std::move(twins.samples[which]);
        }
        switches[i] = twins.switches;
        attempts[i] = twins.attempts;
      }
      stage.advance(end - begin);
    });
  }
  std::map<int, std::size_t> by_switches;
  for (const int number : switches) ++by_switches[number];
  nlohmann::ordered_json& pairs = data.provenance["pairs"];
  pairs = {{"same", same.text()},
           {"same_components", !task.tells_components()},
           {"count", count},
           {"way", maker.way()}};
  pairs["attempts"] = std::accumulate(attempts.begin(), attempts.end(), std::uint64_t{0});
  for (const auto& [number, of_them] : by_switches) {
    pairs["switches"][std::to_string(number)] = of_them;
  }
  data.splits.push_back(std::move(split));
  return data;
}

}  // namespace bermuda
