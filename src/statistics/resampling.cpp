#include "bermuda/statistics/resampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

constexpr std::uint64_t kResamplingSeed = 1;
constexpr std::uint32_t kBlockOfRuns = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostBytes = std::size_t{1} << 26;
constexpr std::size_t kMostDraws = 10000;
constexpr std::size_t kLeastDraws = 200;
constexpr double kTail = 0.025;
constexpr double kNoDifference = 1e-12;  // what rounding leaves of equal sums

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

/// With the points between two figures, as NumPy's quantile().
double quantile_of(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Calls body(draw, runs) with the runs of each draw, drawn with replacement.
template <typename Body>
void draw_runs(std::size_t runs, std::size_t draws, const Body& body) {
  std::vector<std::size_t> drawn(runs, 0);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (runs > 1) {
      RandomStream random(kResamplingSeed, Purpose::kResampling, draw, kBlockOfRuns);
      for (std::size_t& run : drawn) run = random.below(static_cast<std::uint32_t>(runs));
    }
    body(draw, drawn);
  }
}

}  // namespace

std::size_t GraphDraws::usual_draws(std::size_t graphs) {
  return std::clamp(kMostBytes / std::max<std::size_t>(graphs, 1), kLeastDraws, kMostDraws);
}

GraphDraws::GraphDraws(std::vector<int> truth, int classes, std::size_t draws, std::uint32_t block,
                       std::vector<std::size_t> group_of)
    : truth_(std::move(truth)),
      classes_(classes),
      draws_(draws),
      group_of_(std::move(group_of)),
      drawn_(draws, 0) {
  if (group_of_.empty()) {
    group_of_.resize(truth_.size());
    std::iota(group_of_.begin(), group_of_.end(), std::size_t{0});
  }
  if (group_of_.size() != truth_.size()) throw Error("groups of other graphs than are drawn");
  const std::size_t groups = truth_.empty() ? 0 : *std::ranges::max_element(group_of_) + 1;
  times_.assign(groups * draws_, 0);
  // Some draws at a time, so that what is counted stays in cache; then row by row into place.
  constexpr std::size_t kAtOnce = 64;
  std::vector<std::array<std::uint8_t, kAtOnce>> counts(groups);
  for (std::size_t first = 0; first < draws_; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, draws_ - first);
    for (auto& of_group : counts) of_group.fill(0);
    for (std::size_t i = 0; i < count; ++i) {
      RandomStream random(kResamplingSeed, Purpose::kResampling, first + i, block);
      for (std::size_t j = 0; j < groups; ++j) {
        ++counts[random.below(static_cast<std::uint32_t>(groups))][i];
      }
    }
    for (std::size_t group = 0; group < groups; ++group) {
      std::copy_n(counts[group].begin(), count,
                  times_.begin() + static_cast<std::ptrdiff_t>(group * draws_ + first));
    }
  }
  drawn_of_class_.resize(static_cast<std::size_t>(classes_));
  for (std::size_t graph = 0; graph < truth_.size(); ++graph) {
    Counts& drawn = drawn_of_class_.at(static_cast<std::size_t>(truth_[graph]));
    drawn.resize(draws_);
    add_times(graph, drawn);
    add_times(graph, drawn_);
  }
}

void GraphDraws::add_times(std::size_t graph, Counts& counts) const {
  const std::uint8_t* times = times_.data() + group_of_[graph] * draws_;
  for (std::size_t draw = 0; draw < draws_; ++draw) counts[draw] += times[draw];
}

std::vector<double> GraphDraws::scores(std::span<const int> said, Score score) const {
  if (said.size() != truth_.size()) throw Error("answers for other graphs than were drawn");
  if (score == Score::kAccuracy) return accuracies(said);
  if (score == Score::kPositiveF1) return f1_of(classes_ - 1, said);
  std::vector<double> sums(draws_, 0);
  std::vector<int> present(draws_, 0);
  for (int label = 0; label < classes_; ++label) {
    const Counts& drawn = drawn_of_class_[static_cast<std::size_t>(label)];
    if (drawn.empty()) continue;
    const std::vector<double> f1 = f1_of(label, said);
    for (std::size_t draw = 0; draw < draws_; ++draw) {
      if (drawn[draw] == 0) continue;
      sums[draw] += f1[draw];
      ++present[draw];
    }
  }
  for (std::size_t draw = 0; draw < draws_; ++draw) sums[draw] /= std::max(present[draw], 1);
  return sums;
}

std::vector<double> GraphDraws::accuracies(std::span<const int> said) const {
  Counts wrong(draws_, 0);
  for (std::size_t graph = 0; graph < truth_.size(); ++graph) {
    if (said[graph] != truth_[graph]) add_times(graph, wrong);
  }
  std::vector<double> shares(draws_);
  for (std::size_t draw = 0; draw < draws_; ++draw) {
    const double graphs = drawn_[draw];
    shares[draw] = graphs == 0 ? 0 : (graphs - wrong[draw]) / graphs;
  }
  return shares;
}

std::vector<double> GraphDraws::f1_of(int label, std::span<const int> said) const {
  Counts missed(draws_, 0);
  Counts falsely(draws_, 0);
  for (std::size_t graph = 0; graph < truth_.size(); ++graph) {
    if (said[graph] == truth_[graph]) continue;
    if (truth_[graph] == label) add_times(graph, missed);
    if (said[graph] == label) add_times(graph, falsely);
  }
  const Counts& actual = drawn_of_class_[static_cast<std::size_t>(label)];
  std::vector<double> f1(draws_);
  for (std::size_t draw = 0; draw < draws_; ++draw) {
    const std::uint32_t hits = (actual.empty() ? 0 : actual[draw]) - missed[draw];
    const std::uint32_t marked = 2 * hits + missed[draw] + falsely[draw];
    f1[draw] = marked == 0 ? 0 : 2.0 * hits / marked;
  }
  return f1;
}

Interval bootstrap_interval(const DrawnScores& runs) {
  if (runs.empty()) return {kNoScore, kNoScore};
  std::vector<double> means(runs[0].size());
  draw_runs(runs.size(), means.size(), [&](std::size_t draw, const auto& drawn) {
    double sum = 0;
    for (const std::size_t run : drawn) sum += runs[run][draw];
    means[draw] = sum / static_cast<double>(runs.size());
  });
  std::ranges::sort(means);
  return {quantile_of(means, kTail), quantile_of(means, 1 - kTail)};
}

double bootstrap_test(const DrawnScores& first, const DrawnScores& second) {
  if (first.size() != second.size()) throw Error("other runs of one method than of the other");
  if (first.empty()) return kNoScore;
  std::size_t at_most = 1;
  std::size_t at_least = 1;
  const std::size_t draws = first[0].size();
  draw_runs(first.size(), draws, [&](std::size_t draw, const auto& drawn) {
    double difference = 0;
    for (const std::size_t run : drawn) difference += first[run][draw] - second[run][draw];
    at_most += difference < kNoDifference ? 1U : 0U;
    at_least += difference > -kNoDifference ? 1U : 0U;
  });
  const auto rarer = static_cast<double>(std::min(at_most, at_least));
  return std::min(1.0, 2 * rarer / static_cast<double>(draws + 1));
}

}  // namespace bermuda
