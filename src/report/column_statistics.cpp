#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "comparison.hpp"

namespace bermuda {
namespace {

constexpr double kNoInterval = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kBootstrap = "two-way bootstrap";
constexpr const char* kCorrectedT = "corrected resampled t";
constexpr std::size_t kFewGraphs = 10;

Score score_of(TableMetric metric) {
  switch (metric) {
    case TableMetric::kAccuracy:
      return Score::kAccuracy;
    case TableMetric::kMacroF1:
      return Score::kMacroF1;
    case TableMetric::kPositiveF1:
      break;
  }
  return Score::kPositiveF1;
}

std::vector<Answer> by_place(const std::vector<Answer>& answers) {
  std::vector<Answer> sorted = answers;
  std::ranges::sort(sorted, {}, &Answer::place);
  return sorted;
}

/// Test graphs per training graph.
double test_share_of(const CountedRun& run) {
  const auto train = static_cast<double>(run.result->train_graphs);
  return train == 0 ? 0 : static_cast<double>(run.test->count) / train;
}

/// Means by fold.
class FoldMeans {
 public:
  void add(int fold, double figure) {
    auto& [sum, count] = sums_[fold];
    sum += figure;
    ++count;
  }
  std::vector<double> all() const {
    std::vector<double> means;
    for (const auto& [fold, entry] : sums_) means.push_back(entry.first / entry.second);
    return means;
  }

 private:
  std::map<int, std::pair<double, int>> sums_;
};

}  // namespace

ColumnStatistics::ColumnStatistics(TableMetric metric, std::size_t runs, const TwinPlaces& twins)
    : metric_(metric),
      most_draws_(GraphDraws::usual_draws(runs * sizeof(double))),
      first_twin_(first_twins(twins)) {}

std::size_t ColumnStatistics::test_set(const CountedRun& run) {
  if (run.answers->empty()) return kUnknown;
  if (const auto known = set_of_run_.find(run.answers); known != set_of_run_.end()) {
    return known->second;
  }
  GraphsAsked graphs;
  TestSet asked;
  std::unordered_map<int, std::size_t> groups;  // by the first of its graphs
  for (const Answer& answer : by_place(*run.answers)) {
    graphs.emplace_back(answer.place, answer.truth);
    asked.truth.push_back(answer.truth);
    const auto twin = first_twin_.find(answer.place);
    const int first = twin == first_twin_.end() ? answer.place : twin->second;
    asked.group_of.push_back(groups.try_emplace(first, groups.size()).first->second);
  }
  asked.classes = static_cast<int>(run.test->confusion.size());
  const auto [place, is_new] = set_of_.emplace(std::move(graphs), sets_.size());
  if (is_new) sets_.push_back(std::move(asked));
  set_of_run_.emplace(run.answers, place->second);
  return place->second;
}

std::span<const double> ColumnStatistics::scores(const CountedRun& run) {
  if (const auto known = scores_.find(run.answers); known != scores_.end()) return known->second;
  const std::size_t number = test_set(run);
  TestSet& asked = sets_[number];
  if (!asked.draws) {
    const std::size_t draws = std::min(most_draws_, GraphDraws::usual_draws(asked.truth.size()));
    asked.draws.emplace(asked.truth, asked.classes, draws, static_cast<std::uint32_t>(number),
                        asked.group_of);
  }
  std::vector<int> said;
  for (const Answer& answer : by_place(*run.answers)) said.push_back(answer.said);
  return scores_.emplace(run.answers, asked.draws->scores(said, score_of(metric_))).first->second;
}

Interval ColumnStatistics::wilson_of(const CountedRun& run, double accuracy) {
  const std::size_t number = test_set(run);
  const std::size_t count =
      number == kUnknown ? run.test->count : std::ranges::max(sets_[number].group_of) + 1;
  const double right = accuracy * static_cast<double>(count);
  return wilson_interval(static_cast<std::size_t>(std::lround(right)), count);
}

bool ColumnStatistics::is_one_sided(const MethodRuns& method) {
  std::set<std::size_t> right;
  std::set<std::size_t> wrong;
  const TestSet& asked = sets_[test_set(method.runs.begin()->second)];
  for (const auto& [place, run] : method.runs) {
    const std::vector<Answer> answers = by_place(*run.answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      (answers[i].said == answers[i].truth ? right : wrong).insert(asked.group_of[i]);
    }
  }
  return std::min(right.size(), wrong.size()) < kFewGraphs;
}

Interval ColumnStatistics::interval(const MethodRuns& method) {
  if (method.runs.empty()) return {kNoInterval, kNoInterval};
  std::set<std::size_t> asked;
  FoldMeans folds;
  double mean = 0;
  for (const auto& [place, run] : method.runs) {
    asked.insert(test_set(run));
    folds.add(place.first, run.figure);
    mean += run.figure / static_cast<double>(method.runs.size());
  }
  const CountedRun& first = method.runs.begin()->second;
  if (asked.size() == 1 && !asked.contains(kUnknown)) {
    DrawnScores drawn;
    for (const auto& [place, run] : method.runs) drawn.push_back(scores(run));
    const Interval interval = bootstrap_interval(drawn);
    if (metric_ == TableMetric::kAccuracy && is_one_sided(method)) {
      const Interval wilson = wilson_of(first, mean);
      return {std::min(interval.low, wilson.low), std::max(interval.high, wilson.high)};
    }
    if (interval.low < interval.high) return interval;
    return {kNoInterval, kNoInterval};
  }
  if (method.runs.size() == 1 && metric_ == TableMetric::kAccuracy) return wilson_of(first, mean);
  const FoldSummary summary =
      summarise_folds(folds.all(), test_share_of(method.runs.rbegin()->second));
  return {std::max(summary.low, 0.0), std::min(summary.high, 1.0)};
}

PairTest ColumnStatistics::compare(const MethodRuns& first, const MethodRuns& second) {
  MethodRuns one{first.name, {}};
  MethodRuns other{second.name, {}};
  std::set<std::size_t> asked;
  bool same_graphs = true;
  double difference = 0;
  for (const auto& [place, run] : first.runs) {
    const auto twin = second.runs.find(place);
    if (twin == second.runs.end()) continue;
    difference += run.figure - twin->second.figure;
    one.runs.emplace(place, run);
    other.runs.emplace(place, twin->second);
    asked.insert({test_set(run), test_set(twin->second)});
    same_graphs = same_graphs && test_set(run) == test_set(twin->second);
  }
  if (one.runs.empty()) return {kNoInterval};
  difference /= static_cast<double>(one.runs.size());
  same_graphs = same_graphs && !asked.contains(kUnknown);
  if (asked.size() > 1 || !same_graphs) {
    const double p = compare_by_folds(one, other);
    if (!std::isnan(p) || !same_graphs) return {p, difference, kCorrectedT};
  }
  return {compare_by_draws(one, other), difference, kBootstrap};
}

double ColumnStatistics::compare_by_folds(const MethodRuns& first, const MethodRuns& second) const {
  FoldMeans differences;
  for (const auto& [place, run] : first.runs) {
    differences.add(place.first, run.figure - second.runs.at(place).figure);
  }
  const std::vector<double> all = differences.all();
  if (all.size() < kLeastFolds) return kNoInterval;
  return corrected_t_test(all, test_share_of(first.runs.begin()->second));
}

double ColumnStatistics::compare_by_draws(const MethodRuns& first, const MethodRuns& second) {
  std::size_t draws = most_draws_;
  for (const auto& [place, run] : first.runs) draws = std::min(draws, scores(run).size());
  DrawnScores one;
  DrawnScores other;
  for (const auto& [place, run] : first.runs) {
    one.push_back(scores(run).first(draws));
    other.push_back(scores(second.runs.at(place)).first(draws));
  }
  return bootstrap_test(one, other);
}

}  // namespace bermuda
