#include "bermuda/generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "bermuda/core/error.hpp"
#include "bermuda/core/share.hpp"
#include "bermuda/core/team.hpp"
#include "bermuda/graph/canonical.hpp"
#include "task_data.hpp"

namespace bermuda {
namespace {

constexpr const char* kSplitName = "all";
constexpr std::size_t kChunk = 128;  // of one thread
// Some milliseconds' work, and not so much that rank 0 leaves others waiting.
constexpr Portion kPortion{2 * kChunk, 8 * kChunk};

constexpr const char* kFewGraphs =
    "the task has few graphs up to the numbering of their nodes, so isomorphic graphs stand in "
    "several splits: a test graph was seen in training under other numbers";

constexpr std::size_t kHead = 1024;  // about what the figures of a part take

/// The data set but for its graphs.
DataSet head_of(const Task& task, std::uint64_t seed, std::size_t count) {
  check_candidates("candidates", count);
  task.validate();
  DataSet data = data_for(task);
  if (task.has_few_graphs()) data.provenance["few_graphs"] = kFewGraphs;
  data.provenance["seed"] = seed;
  data.provenance["candidates"] = count;
  return data;
}

std::vector<Sample> make_samples(const Task& task, std::uint64_t seed, std::size_t begin,
                                 std::size_t end, const StopPoll& stop) {
  std::vector<Sample> samples;
  samples.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) samples.push_back(task.make(seed, i, stop));
  return samples;
}

class CandidateSource : public SampleSource {
 public:
  CandidateSource(const Task& task, std::uint64_t seed, std::size_t count)
      : task_(task), seed_(seed), count_(count), head_(head_of(task, seed, count)) {}

  const DataSet& head() const override { return head_; }
  std::size_t size() const override { return count_; }
  std::string_view stage() const override { return "generate"; }
  bool is_everywhere() const override { return true; }
  void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
               const Take& take) const override {
    const std::vector<Sample> samples = make_samples(task_, seed_, begin, end, stop);
    std::vector<const Sample*> pointers;
    for (const Sample& sample : samples) pointers.push_back(&sample);
    take(pointers);
  }

 private:
  const Task& task_;
  std::uint64_t seed_;
  std::size_t count_;
  DataSet head_;
};

class SizedSource : public SampleSource {
 public:
  SizedSource(const Task& task, const NodeRange& sizes, std::uint64_t seed, std::size_t count,
              const DataSet& apart_from, const Execution& execution)
      : task_(task_of_sizes(task, sizes)),
        sizes_(sizes),
        seed_(seed),
        count_(count),
        head_(head_of(*task_, seed, count)) {
    if (task_->has_few_graphs()) return;  // there are no others
    std::vector<const Sample*> same;      // of other sizes none can be isomorphic
    for (const Sample* sample : apart_from.all()) {
      if (is_sized(sample->graph)) same.push_back(sample);
    }
    std::vector<std::string> forms(same.size());
    parallel_for(execution, same.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        forms[i] = canonical_form(same[i]->graph, execution);
        execution.check_stop();
      }
    });
    for (std::size_t i = 0; i < same.size(); ++i) {
      taken_sizes_.insert(same[i]->graph.node_count());
      taken_.insert(std::move(forms[i]));
    }
  }

  const DataSet& head() const override { return head_; }
  std::size_t size() const override { return count_; }
  std::string_view stage() const override { return "generate"; }
  void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
               const Take& take) const override {
    std::vector<Sample> samples;
    for (std::size_t i = begin; i < end; ++i) samples.push_back(make(i, stop));
    std::vector<const Sample*> pointers;
    for (const Sample& sample : samples) pointers.push_back(&sample);
    take(pointers);
  }

 private:
  bool is_sized(const Graph& graph) const {
    return graph.node_count() >= sizes_.from && graph.node_count() <= sizes_.to;
  }

  Sample make(std::size_t index, const StopPoll& stop) const {
    constexpr std::uint32_t kMostSizedTries = 100000;
    const int wanted = wanted_class(index);
    auto sample = task_->make_fitting(
        seed_, index, wanted, kMostSizedTries,
        [&](const Sample& one) {
          return is_sized(one.graph) && !(taken_sizes_.contains(one.graph.node_count()) &&
                                          taken_.contains(canonical_form(one.graph, stop)));
        },
        stop);
    if (!sample) {
      throw UsageError(fmt::format("{}: no graph of class {} with {} to {} nodes in {} attempts",
                                   task_->name(), wanted, sizes_.from, sizes_.to, kMostSizedTries));
    }
    sample->id = fmt::format("S{:07}", index);
    return *std::move(sample);
  }

  std::unique_ptr<Task> task_;
  NodeRange sizes_;
  std::uint64_t seed_;
  std::size_t count_;
  DataSet head_;
  std::set<int> taken_sizes_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

DataSet data_for(const Task& task) {
  DataSet data;
  data.name = task.name();
  data.class_names = {"0", "1"};
  data.provenance["task"] = task.name();
  data.provenance["class_meanings"] = task.class_meanings();
  data.provenance["parameters"] = task.settings().values();
  return data;
}

void check_candidates(std::string_view option, std::size_t count) {
  if (count > 0 && count % 2 == 0) return;
  throw UsageError(
      fmt::format("{}: found {}, expected a positive even number: classes are balanced exactly",
                  option, count));
}

std::unique_ptr<SampleSource> sized_candidates(const Task& task, const NodeRange& sizes,
                                               std::uint64_t seed, std::size_t count,
                                               const DataSet& apart_from,
                                               const Execution& execution) {
  return std::make_unique<SizedSource>(task, sizes, seed, count, apart_from, execution);
}

std::unique_ptr<SampleSource> candidate_source(const Task& task, std::uint64_t seed,
                                               std::size_t count) {
  return std::make_unique<CandidateSource>(task, seed, count);
}

DataSetFigures describe_candidates(const Task& task, std::uint64_t seed, std::size_t count) {
  return figures_of(head_of(task, seed, count));
}

void generate_parts(const Task& task, std::uint64_t seed, std::size_t count,
                    const Execution& execution,
                    const std::function<void(const EncodedSplit&)>& take) {
  const std::size_t classes = head_of(task, seed, count).class_names.size();
  const auto make = [&](std::size_t begin, std::size_t end) {
    const auto threads = static_cast<std::size_t>(std::max(execution.threads, 1));
    const std::size_t chunk = std::min(kChunk, (end - begin + threads - 1) / threads);
    std::vector<EncodedSplit> parts((end - begin + chunk - 1) / chunk);
    parallel_for(execution, end - begin, chunk, [&](std::size_t first, std::size_t last) {
      parts[first / chunk] = encode_split(
          {kSplitName, make_samples(task, seed, begin + first, begin + last, execution)}, classes);
    });
    std::size_t bytes = 0;
    for (const EncodedSplit& part : parts) bytes += part.text.size() + kHead;
    parts[0].text.reserve(bytes);
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].append(parts[i]);
    return std::move(parts[0]).to_bytes();
  };

  const Stage stage(execution, "generate", count);
  share_out(execution, count, kPortion, make,
            [&](std::size_t begin, std::size_t end, std::string part) {
              take(EncodedSplit::from_bytes(std::move(part)));
              stage.advance(end - begin);
            });
}

DataSet generate_candidates(const Task& task, std::uint64_t seed, std::size_t count,
                            const Execution& execution) {
  DataSet data = head_of(task, seed, count);
  Split split{kSplitName, {}};
  if (team_of(execution)->size() > 1) {
    EncodedSplit whole = encode_split(split, data.class_names.size());
    generate_parts(task, seed, count, execution,
                   [&](const EncodedSplit& part) { whole.append(part); });
    if (!execution.in_charge()) return {};
    EncodedDataSet encoded{figures_of(data), {std::move(whole.text)}};
    encoded.figures.splits = {std::move(whole.figures)};
    return decode_dataset(encoded);
  }
  // A process alone need not make text of its graphs in between.
  split.samples.resize(count);
  const Stage stage(execution, "generate", count);
  parallel_for(execution, count, kChunk, [&](std::size_t begin, std::size_t end) {
    std::ranges::move(make_samples(task, seed, begin, end, execution),
                      split.samples.begin() + static_cast<std::ptrdiff_t>(begin));
    stage.advance(end - begin);
  });
  data.splits.push_back(std::move(split));
  return data;
}

}  // namespace bermuda
