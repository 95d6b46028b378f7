#include "collect.hpp"

#include <algorithm>
#include <vector>

#include "bermuda/core/share.hpp"
#include "bermuda/core/team.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kTogether = 1024;  // of one thread: some milliseconds' work

void add_samples(FeatureTable& table, const SampleSource& source, std::size_t begin,
                 std::size_t end, const Execution& execution) {
  source.look_at(begin, end, execution, [&](std::span<const Sample* const> samples) {
    for (const Sample* sample : samples) table.add(sample->graph, sample->label);
  });
}

/// Samples begin..end-1, by all threads.
void add_by_threads(FeatureTable& table, const SampleSource& source, std::size_t begin,
                    std::size_t end, const Execution& execution) {
  if (execution.threads <= 1 || end - begin <= kTogether) {
    for (; begin < end; begin += kTogether) {
      add_samples(table, source, begin, std::min(begin + kTogether, end), execution);
    }
    return;
  }
  std::vector<MergedFeatures> parts((end - begin + kTogether - 1) / kTogether);
  parallel_for(execution, end - begin, kTogether, [&](std::size_t first, std::size_t last) {
    FeatureTable part;
    add_samples(part, source, begin + first, begin + last, execution);
    parts[first / kTogether] = part.take();
  });
  for (const MergedFeatures& part : parts) table.add(part);
}

}  // namespace

MergedFeatures collect_features(const SampleSource* source, const Execution& execution) {
  const std::shared_ptr<Team> team = team_of(execution);
  if (source == nullptr) return {};
  const auto threads = static_cast<std::size_t>(std::max(execution.threads, 1));
  Execution told = execution;
  if (source->stage().empty()) told.progress = nullptr;
  const Stage stage(told, source->stage(), source->size());
  FeatureTable table;
  if (team->size() > 1 && source->is_everywhere()) {
    share_out(
        execution, source->size(), {kTogether / 4, kTogether},
        [&](std::size_t begin, std::size_t end) {
          FeatureTable part;
          add_by_threads(part, *source, begin, end, execution);
          return part.take().to_bytes();
        },
        [&](std::size_t begin, std::size_t end, const std::string& part) {
          table.add(MergedFeatures::from_bytes(part));
          stage.advance(end - begin);
        });
  } else {
    // As much at a time as keeps all threads busy, and not so much that the parts fill memory.
    const std::size_t portion = threads > 1 ? 16 * threads * kTogether : kTogether;
    for (std::size_t begin = 0; begin < source->size(); begin += portion) {
      const std::size_t end = std::min(begin + portion, source->size());
      execution.check_stop();
      add_by_threads(table, *source, begin, end, execution);
      stage.advance(end - begin);
    }
  }
  return execution.in_charge() ? table.finish() : MergedFeatures();
}

}  // namespace bermuda
