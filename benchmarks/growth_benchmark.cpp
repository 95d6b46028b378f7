// Claim: the filter's memory and time grow more slowly than the number of candidates, so that 20
// million need less than 4 GB; and what the ranks of a team would hand over.
// Usage: growth_benchmark TASK COUNT
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/probe/filter.hpp"
#include "collect.hpp"
#include "measure.hpp"

namespace {

using bermuda::benchmarks::cpu_seconds;

constexpr std::size_t kPart = 1024;  // graphs, as a rank hands them over

/// Takes the time of the filter's stages, and of each round.
class StageTimes : public bermuda::ProgressSink {
 public:
  void begin(std::string_view what, std::size_t) override {
    what_ = what;
    last_ = cpu_seconds();
  }
  void advance(std::size_t done) override {
    const double now = cpu_seconds();
    if (done > 0 && what_ == "filter rounds") rounds_.push_back(now - last_);
    if (what_ == "generate") generate_ += now - last_;
    last_ = now;
  }
  void end() override { what_.clear(); }

  /// Rounds of the filter proper come first, then those on what was kept.
  void print(std::size_t folds) const {
    double others = 0;
    for (std::size_t i = 1; i < folds; ++i) others += rounds_[i];
    fmt::print("  graphs and features {:.1f} s CPU, round 0 {:.2f} s, each other {:.2f} s\n",
               generate_, rounds_[0], others / static_cast<double>(folds - 1));
  }

 private:
  std::string what_;
  double last_ = 0;
  double generate_ = 0;
  std::vector<double> rounds_;
};

/// Looks at the candidates as ranks do: one makes features of a part, rank 0 merges them.
void print_parts(const bermuda::SampleSource& source) {
  bermuda::FeatureTable table;
  double making = 0;
  double merging = 0;
  std::size_t bytes = 0;
  for (std::size_t begin = 0; begin < source.size(); begin += kPart) {
    const double start = cpu_seconds();
    bermuda::FeatureTable part;
    source.look_at(begin, std::min(begin + kPart, source.size()), {}, [&](auto samples) {
      for (const bermuda::Sample* sample : samples) part.add(sample->graph, sample->label);
    });
    const std::string message = part.take().to_bytes();
    const double made = cpu_seconds();
    table.add(bermuda::MergedFeatures::from_bytes(message));
    merging += cpu_seconds() - made;
    making += made - start;
    bytes += message.size();
  }
  const bermuda::MergedFeatures merged = table.finish();
  fmt::print(
      "  {} different rows of {} features, {:.1f} per row\n", merged.rows.rows(),
      merged.rows.columns,
      static_cast<double>(merged.rows.entries.size()) / static_cast<double>(merged.rows.rows()));
  fmt::print("  any rank: make graphs and features {:.1f} s CPU, hands over {:.1f} MB\n", making,
             static_cast<double>(bytes) / 1e6);
  fmt::print("  rank 0: merge {:.1f} s CPU; every rank then gets {:.1f} MB\n", merging,
             static_cast<double>(merged.to_bytes().size()) / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bermuda;
  const std::string name = argc > 1 ? argv[1] : "triangles";
  const std::size_t count = argc > 2 ? std::stoul(argv[2]) : 200000;
  const auto task = make_task(name);
  const auto source = candidate_source(*task, 1, count);

  const double start = cpu_seconds();
  const FilterOptions options;
  StageTimes times;
  Execution execution;
  execution.progress = &times;
  const FilterResult result = filter_samples(source.get(), options, 1, execution);
  const double seconds = cpu_seconds() - start;
  for (const Split& split : result.data.splits) {
    const auto counts = result.data.class_counts(split);
    if (counts[0] != counts[1]) throw Error("classes are not balanced");
  }
  if (result.report.isomorphs_across != 0) throw Error("isomorphs across splits");
  fmt::print("{}: {} candidates to {}, one thread\n", name, count, result.data.size());
  fmt::print("  generate and filter {:.1f} s CPU, peak memory {:.0f} MB\n", seconds,
             benchmarks::peak_megabytes());
  times.print(static_cast<std::size_t>(options.folds));
  print_parts(*source);
}
