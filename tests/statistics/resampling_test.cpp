#include "bermuda/statistics/resampling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

using Answers = std::vector<int>;

Answers alternating(std::size_t count) {
  Answers truth(count);
  for (std::size_t i = 0; i < count; ++i) truth[i] = static_cast<int>(i % 2);
  return truth;
}

TEST(GraphDraws, AreTheSameEveryTime) {
  const Answers truth = alternating(50);
  Answers said = truth;
  for (std::size_t i = 0; i < 20; ++i) said[i] = 1 - said[i];
  const GraphDraws draws(truth, 2, 500);
  const std::vector<double> first = draws.scores(said, Score::kAccuracy);
  EXPECT_EQ(GraphDraws(truth, 2, 500).scores(said, Score::kAccuracy), first);
  // More draws begin with these; another block has nothing to do with them.
  std::vector<double> longer = GraphDraws(truth, 2, 700).scores(said, Score::kAccuracy);
  longer.resize(500);
  EXPECT_EQ(longer, first);
  EXPECT_NE(GraphDraws(truth, 2, 500, 1).scores(said, Score::kAccuracy), first);
  EXPECT_EQ(first[0], 0.64);  // pinned: whoever changes a draw changes every interval
  EXPECT_EQ(first[499], 0.62);
}

TEST(GraphDraws, ScoresOfAllRightAndAllWrong) {
  const Answers truth = {0, 1, 2, 2, 1, 0};
  const GraphDraws draws(truth, 3, 200);
  for (const Score score : {Score::kAccuracy, Score::kMacroF1}) {
    EXPECT_THAT(draws.scores(truth, score), testing::Each(1));
    EXPECT_THAT(draws.scores(Answers{1, 2, 0, 0, 2, 1}, score), testing::Each(0));
  }
  // A draw may be without the last class: nothing to find, nothing said.
  EXPECT_THAT(draws.scores(truth, Score::kPositiveF1), testing::Each(testing::AnyOf(0, 1)));
  EXPECT_THROW(draws.scores(Answers{0, 1}, Score::kAccuracy), Error);
  EXPECT_THAT(GraphDraws({}, 2, 200).scores({}, Score::kMacroF1), testing::Each(0));
}

TEST(GraphDraws, OfOneGroupAreDrawnTogether) {
  const Answers truth = alternating(6);
  const std::vector<std::size_t> groups = {0, 1, 0, 2, 0, 0};  // 1 and 3 are alone
  const GraphDraws draws(truth, 2, 2000, 0, groups);
  Answers said = truth;
  for (const std::size_t i : {0U, 2U, 4U, 5U}) said[i] = 1 - said[i];
  // The group of four is in a draw of three groups 0 to 3 times, beside graphs that are right.
  std::map<double, int> seen;
  for (const double score : draws.scores(said, Score::kAccuracy)) ++seen[score];
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_NEAR(seen[1], 2000 * 8.0 / 27, 80);
  EXPECT_NEAR(seen[2.0 / 6], 2000 * 12.0 / 27, 80);
  EXPECT_NEAR(seen[1.0 / 9], 2000 * 6.0 / 27, 80);
  EXPECT_NEAR(seen[0], 2000 * 1.0 / 27, 40);
  // Groups of one graph each are no groups.
  EXPECT_EQ(GraphDraws(truth, 2, 100, 0, {0, 1, 2, 3, 4, 5}).scores(said, Score::kMacroF1),
            GraphDraws(truth, 2, 100).scores(said, Score::kMacroF1));
  EXPECT_THROW(GraphDraws(truth, 2, 100, 0, {0, 1}), Error);
}

TEST(GraphDraws, FewerOfMany) {
  EXPECT_EQ(GraphDraws::usual_draws(1000), 10000U);
  EXPECT_EQ(GraphDraws::usual_draws(100'000), 671U);
  EXPECT_EQ(GraphDraws::usual_draws(10'000'000), 200U);
  EXPECT_EQ(GraphDraws::usual_draws(0), 10000U);
}

TEST(Bootstrap, NothingDiffersFromItself) {
  const GraphDraws draws(alternating(100), 2, 1000);
  const std::vector<double> scores = draws.scores(Answers(100, 0), Score::kAccuracy);
  EXPECT_EQ(bootstrap_test({scores, scores}, {scores, scores}), 1);
}

TEST(Bootstrap, AConstantDifferenceIsNoProof) {
  const Answers truth = alternating(100);
  Answers worse = truth;
  worse[3] = 1 - worse[3];  // every run of one method is wrong on one graph, no run of the other
  const GraphDraws draws(truth, 2, 10000);
  const std::vector<double> all = draws.scores(truth, Score::kAccuracy);
  const std::vector<double> less = draws.scores(worse, Score::kAccuracy);
  // The graph is in 63 % of the draws: p = 2 x 0.37.
  EXPECT_NEAR(bootstrap_test({all, all, all}, {less, less, less}), 0.73, 0.03);
  // However large the difference, p is not 0.
  const std::vector<double> none = draws.scores(Answers(100, 5), Score::kAccuracy);
  EXPECT_DOUBLE_EQ(bootstrap_test({all, all}, {none, none}), 2.0 / 10001);
}

TEST(Bootstrap, OfNoRuns) {
  EXPECT_TRUE(std::isnan(bootstrap_interval({}).low));
  EXPECT_TRUE(std::isnan(bootstrap_test({}, {})));
  const std::vector<double> one = {0.5};
  EXPECT_THROW(bootstrap_test({one}, {}), Error);
}

// Runs whose ability differs, on graphs whose difficulty differs: the interval must cover what all
// runs would score on all graphs about as often as it says.
TEST(Bootstrap, CoversWhatItShould) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  const auto share = [](double x) { return 1 / (1 + std::exp(-x)); };
  double truth_share = 0;  // by many runs and graphs
  for (int i = 0; i < 200000; ++i) {
    truth_share += share(1.5 + 0.5 * noise(random) + 1.5 * noise(random)) / 200000;
  }
  int covered = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> difficulty(150);
    for (double& one : difficulty) one = 1.5 * noise(random);
    const Answers truth(150, 1);
    const GraphDraws draws(truth, 2, 500);
    std::vector<std::vector<double>> scores;
    for (int run = 0; run < 10; ++run) {
      const double ability = 1.5 + 0.5 * noise(random);
      Answers said(150, 1);
      for (std::size_t i = 0; i < said.size(); ++i) {
        said[i] = std::generate_canonical<double, 53>(random) < share(ability - difficulty[i]);
      }
      scores.push_back(draws.scores(said, Score::kAccuracy));
    }
    const Interval interval = bootstrap_interval({scores.begin(), scores.end()});
    covered += interval.low <= truth_share && truth_share <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, kTrials * 0.90);
  EXPECT_LT(covered, kTrials);
}

/// As if the graphs had nothing to say: each run has one score in all draws.
std::vector<std::vector<double>> constant_runs(std::size_t runs, std::size_t draws,
                                               std::mt19937& random) {
  std::normal_distribution<double> ability(0.7, 0.05);
  std::vector<std::vector<double>> scores;
  for (std::size_t run = 0; run < runs; ++run) scores.emplace_back(draws, ability(random));
  return scores;
}

// Two or three runs say little: equally good methods must not be told apart more often than is
// said, and the interval of their mean is about Student's.
TEST(Bootstrap, OfFewRunsIsNoProof) {
  std::mt19937 random(11);
  constexpr int kTrials = 400;
  for (const std::size_t runs : {2U, 3U, 4U, 10U}) {
    int told_apart = 0;
    int missed = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto first = constant_runs(runs, 1000, random);
      const auto second = constant_runs(runs, 1000, random);
      const DrawnScores one(first.begin(), first.end());
      told_apart += bootstrap_test(one, {second.begin(), second.end()}) < 0.05 ? 1 : 0;
      const Interval interval = bootstrap_interval(one);
      missed += interval.low <= 0.7 && 0.7 <= interval.high ? 0 : 1;
    }
    EXPECT_LT(told_apart, kTrials * 0.1) << runs;
    EXPECT_LT(missed, kTrials * 0.1) << runs;
    EXPECT_GT(missed, 0) << runs;
  }
}

}  // namespace
}  // namespace bermuda
