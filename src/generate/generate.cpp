#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/task.hpp"
#include "head.hpp"

namespace bermuda {

DataSet candidates_head(Task& task, std::uint64_t seed, std::size_t count) {
  if (count == 0 || count % 2 != 0) {
    throw UsageError(
        fmt::format("--count: found {}, expected a positive even number: classes are balanced "
                    "exactly",
                    count));
  }
  task.validate();
  DataSet data;
  data.name = task.name();
  data.class_names = {"0", "1"};
  data.provenance["task"] = task.name();
  data.provenance["class_meanings"] = task.class_meanings();
  data.provenance["parameters"] = task.settings().values();
  data.provenance["seed"] = seed;
  data.provenance["candidates"] = count;
  return data;
}

DataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                            const Execution& execution) {
  DataSet data = candidates_head(task, seed, count);
  constexpr std::size_t kChunk = 512;
  std::vector<Sample> samples(count);
  const Stage stage(execution, "generate", count);
  parallel_for(execution, count, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) samples[i] = task.make(seed, i);
    stage.advance(end - begin);
  });
  data.splits.push_back({kCandidateSplit, std::move(samples)});
  return data;
}

}  // namespace bermuda
