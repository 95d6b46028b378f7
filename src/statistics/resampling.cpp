#include "bermuda/statistics/resampling.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
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

/// By how much what drawing runs adds to a draw is enlarged. Runs that are drawn from themselves
/// vary less than runs do, by (k - 1) / k, and the tails of so few are Student's: without this, of
/// three runs the interval would be from the lowest to the highest, which misses their mean in one
/// of four cases.
double enlargement(std::size_t runs) {
  if (runs < 2) return 0;
  const auto k = static_cast<double>(runs);
  return std::sqrt(k / (k - 1)) * boost::math::quantile(boost::math::students_t(k - 1), 1 - kTail) /
         boost::math::quantile(boost::math::normal(), 1 - kTail);
}

/// The mean over runs in each draw, where runs are drawn with replacement, too. `of_run(run, draw)`
/// is the figure of one.
template <typename OfRun>
std::vector<double> drawn_means(std::size_t runs, std::size_t draws, const OfRun& of_run) {
  const double enlarged = enlargement(runs);
  std::vector<double> means(draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    double all = 0;
    for (std::size_t run = 0; run < runs; ++run) all += of_run(run, draw);
    double drawn = all;
    if (runs > 1) {
      RandomStream random(kResamplingSeed, Purpose::kResampling, draw, kBlockOfRuns);
      drawn = 0;
      for (std::size_t i = 0; i < runs; ++i) {
        drawn += of_run(random.below(static_cast<std::uint32_t>(runs)), draw);
      }
    }
    means[draw] = (all + enlarged * (drawn - all)) / static_cast<double>(runs);
  }
  return means;
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
  std::vector<double> means =
      drawn_means(runs.size(), runs[0].size(),
                  [&](std::size_t run, std::size_t draw) { return runs[run][draw]; });
  std::ranges::sort(means);
  return {std::max(0.0, quantile_of(means, kTail)), std::min(1.0, quantile_of(means, 1 - kTail))};
}

double bootstrap_test(const DrawnScores& first, const DrawnScores& second) {
  if (first.size() != second.size()) throw Error("other runs of one method than of the other");
  if (first.empty()) return kNoScore;
  const std::vector<double> differences = drawn_means(
      first.size(), first[0].size(),
      [&](std::size_t run, std::size_t draw) { return first[run][draw] - second[run][draw]; });
  std::size_t at_most = 1;
  std::size_t at_least = 1;
  for (const double difference : differences) {
    at_most += difference < kNoDifference ? 1U : 0U;
    at_least += difference > -kNoDifference ? 1U : 0U;
  }
  const auto rarer = static_cast<double>(std::min(at_most, at_least));
  return std::min(1.0, 2 * rarer / static_cast<double>(differences.size() + 1));
}

}  // namespace bermuda
