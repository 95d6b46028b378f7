#include "bermuda/generate/spread.hpp"

#include <algorithm>

#include "bermuda/core/share.hpp"
#include "head.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kChunk = 128;  // of one thread
// Some milliseconds' work, and not so much that rank 0 leaves others waiting.
constexpr Portion kPortion{2 * kChunk, 32 * kChunk};

EncodedSplit make_chunk(const Task& task, std::uint64_t seed, std::size_t class_count,
                        std::size_t begin, std::size_t end) {
  Split split{kCandidateSplit, std::vector<Sample>(end - begin)};
  for (std::size_t i = begin; i < end; ++i) split.samples[i - begin] = task.make(seed, i);
  return encode_split(split, class_count);
}

}  // namespace

DataSetFigures describe_candidates(Task& task, std::uint64_t seed, std::size_t count) {
  return figures_of(candidates_head(task, seed, count));
}

void generate_parts(Task& task, std::uint64_t seed, std::size_t count, const Execution& execution,
                    Team& team, const std::function<void(const EncodedSplit&)>& take) {
  const std::size_t classes = describe_candidates(task, seed, count).class_names.size();
  const auto make = [&](std::size_t begin, std::size_t end) {
    const auto threads = static_cast<std::size_t>(std::max(execution.threads, 1));
    const std::size_t chunk = std::min(kChunk, (end - begin + threads - 1) / threads);
    std::vector<EncodedSplit> parts((end - begin + chunk - 1) / chunk);
    parallel_for(execution, end - begin, chunk, [&](std::size_t first, std::size_t last) {
      parts[first / chunk] = make_chunk(task, seed, classes, begin + first, begin + last);
    });
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].append(parts[i]);
    return parts[0].to_bytes();
  };

  const Stage stage(execution, "generate", count);
  share_out(team, execution, count, kPortion, make,
            [&](std::size_t begin, std::size_t end, const std::string& part) {
              take(EncodedSplit::from_bytes(part));
              stage.advance(end - begin);
            });
}

EncodedDataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                                   const Execution& execution, Team& team) {
  EncodedDataSet encoded{describe_candidates(task, seed, count), {}};
  EncodedSplit whole = encode_split({kCandidateSplit, {}}, encoded.figures.class_names.size());
  generate_parts(task, seed, count, execution, team,
                 [&](const EncodedSplit& part) { whole.append(part); });
  if (!team.in_charge()) return {};
  encoded.figures.splits = {std::move(whole.figures)};
  encoded.texts.push_back(std::move(whole.text));
  return encoded;
}

}  // namespace bermuda
