// Everything against reference.py, which computes the same by other means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bermuda/core/file.hpp"
#include "bermuda/statistics/intervals.hpp"
#include "bermuda/statistics/resampling.hpp"
#include "bermuda/statistics/significance.hpp"

namespace bermuda {
namespace {

using nlohmann::json;

constexpr double kClose = 1e-9;
constexpr std::size_t kDrawn = 10000;

const json& cases_of(const char* what) {
  static const json all = json::parse(
      read_file(std::string(BERMUDA_SOURCE_DIR) + "/tests/data/statistics/reference.json"));
  return all.at(what);
}

std::vector<int> digits(const json& text) {
  std::vector<int> numbers;
  for (const char digit : text.get<std::string>()) numbers.push_back(digit - '0');
  return numbers;
}

Score score_named(const json& name) {
  return name == "accuracy"   ? Score::kAccuracy
         : name == "macro_f1" ? Score::kMacroF1
                              : Score::kPositiveF1;
}

/// The figures of runs in draws of their graphs.
struct Drawn {
  Drawn(const json& one, const char* runs, int classes) {
    const auto groups = one.value("groups", std::vector<std::size_t>());
    const GraphDraws draws(digits(one.at("truth")), classes, kDrawn, 0, groups);
    for (const json& said : one.at(runs)) {
      of_runs.push_back(draws.scores(digits(said), score_named(one.at("score"))));
    }
  }
  DrawnScores all() const { return {of_runs.begin(), of_runs.end()}; }
  std::vector<std::vector<double>> of_runs;
};

TEST(Reference, CorrectedT) {
  for (const json& one : cases_of("corrected_t")) {
    const auto differences = one.at("differences").get<std::vector<double>>();
    const double share = one.at("test_share");
    EXPECT_NEAR(corrected_t_test(differences, share), one.at("p"), kClose) << one;
    const FoldSummary summary = summarise_folds(differences, share);
    EXPECT_NEAR(summary.mean, one.at("mean"), kClose);
    EXPECT_NEAR(summary.deviation, one.at("deviation"), kClose);
    EXPECT_NEAR(summary.low, one.at("low"), kClose);
    EXPECT_NEAR(summary.high, one.at("high"), kClose);
  }
}

TEST(Reference, McNemar) {
  for (const json& one : cases_of("mcnemar")) {
    EXPECT_NEAR(mcnemar_test(one.at("first"), one.at("second")), one.at("p"), kClose) << one;
  }
}

TEST(Reference, Wilson) {
  for (const json& one : cases_of("wilson")) {
    const Interval interval = wilson_interval(one.at("right"), one.at("total"));
    EXPECT_NEAR(interval.low, one.at("low"), kClose) << one;
    EXPECT_NEAR(interval.high, one.at("high"), kClose) << one;
  }
}

TEST(Reference, Holm) {
  for (const json& one : cases_of("holm")) {
    EXPECT_THAT(holm(one.at("p").get<std::vector<double>>()),
                testing::Pointwise(testing::DoubleNear(kClose),
                                   one.at("adjusted").get<std::vector<double>>()));
  }
}

// 10,000 draws here and 40,000 there: five deviations of the difference, and the step between two
// shares of so few graphs.
void expect_intervals(const char* cases) {
  for (const json& one : cases_of(cases)) {
    const Drawn drawn(one, "runs", one.at("classes"));
    const double step = 0.5 / static_cast<double>(digits(one.at("truth")).size()) /
                        static_cast<double>(drawn.of_runs.size());
    const double error = 5 * std::sqrt(5.0) * one.at("error").get<double>() + step;
    const Interval interval = bootstrap_interval(drawn.all());
    EXPECT_NEAR(interval.low, one.at("low"), error) << one.at("score") << drawn.of_runs.size();
    EXPECT_NEAR(interval.high, one.at("high"), error) << one.at("score") << drawn.of_runs.size();
  }
}

TEST(Reference, TwoWayBootstrapInterval) { expect_intervals("bootstrap"); }
TEST(Reference, OfGroupsOfGraphs) { expect_intervals("grouped_bootstrap"); }

TEST(Reference, TwoWayBootstrapTest) {
  for (const json& one : cases_of("bootstrap_test")) {
    const Drawn first(one, "first", 2);
    const Drawn second(one, "second", 2);
    const double p = one.at("p");
    const double error = 5 * 2 * std::sqrt(p / 2 * (1 - p / 2) * (1.0 / kDrawn + 1.0 / 40000));
    EXPECT_NEAR(bootstrap_test(first.all(), second.all()), p, error + 2.0 / kDrawn) << one;
    EXPECT_EQ(bootstrap_test(second.all(), first.all()), bootstrap_test(first.all(), second.all()));
  }
}

}  // namespace
}  // namespace bermuda
