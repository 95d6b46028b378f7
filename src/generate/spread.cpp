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

EncodedDataSet generate_candidates(Task& task, std::uint64_t seed, std::size_t count,
                                   const Execution& execution, Team& team) {
  const DataSet head = candidates_head(task, seed, count);
  const std::size_t classes = head.class_names.size();

  const auto make = [&](std::size_t begin, std::size_t end) {
    const std::size_t threads = static_cast<std::size_t>(std::max(execution.threads, 1));
    const std::size_t chunk = std::min(kChunk, (end - begin + threads - 1) / threads);
    std::vector<EncodedSplit> parts((end - begin + chunk - 1) / chunk);
    parallel_for(execution, end - begin, chunk, [&](std::size_t first, std::size_t last) {
      parts[first / chunk] = make_chunk(task, seed, classes, begin + first, begin + last);
    });
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].append(parts[i]);
    return parts[0].to_bytes();
  };

  const Stage stage(execution, "generate", count);
  EncodedSplit whole = encode_split({kCandidateSplit, {}}, classes);
  share_out(team, execution, count, kPortion, make,
            [&](std::size_t begin, std::size_t end, const std::string& part) {
              whole.append(EncodedSplit::from_bytes(part));
              stage.advance(end - begin);
            });
  if (!team.in_charge()) return {};
  EncodedDataSet encoded{figures_of(head), {}};
  encoded.figures.splits = {std::move(whole.figures)};
  encoded.texts.push_back(std::move(whole.text));
  return encoded;
}

}  // namespace bermuda
