#include "bermuda/method/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

Split split_of(const std::string& name, int count, int ones) {
  Split split{name, {}};
  for (int i = 0; i < count; ++i) {
    Sample sample;
    sample.id = name + std::to_string(i);
    sample.label = i < ones ? 1 : 0;
    sample.graph = Graph(2, {{0, 1}});
    split.samples.push_back(std::move(sample));
  }
  return split;
}

DataSet data_of(std::vector<Split> splits) {
  DataSet data;
  data.name = "data";
  data.class_names = {"0", "1"};
  data.splits = std::move(splits);
  return data;
}

int ones_of(const std::vector<const Sample*>& samples) {
  int ones = 0;
  for (const Sample* sample : samples) ones += sample->label;
  return ones;
}

TEST(FoldParts, PooledDataTestsEveryGraphOnce) {
  const DataSet data = data_of({split_of("all", 103, 31)});
  std::map<const Sample*, int> tested;
  for (int fold = 0; fold < kEvaluationFolds; ++fold) {
    const FoldParts parts = fold_parts(data, fold);
    EXPECT_EQ(parts.train.size() + parts.validation.size() + parts.test.size(), 103U);
    std::set<const Sample*> all(parts.train.begin(), parts.train.end());
    all.insert(parts.validation.begin(), parts.validation.end());
    all.insert(parts.test.begin(), parts.test.end());
    EXPECT_EQ(all.size(), 103U);
    for (const Sample* sample : parts.test) ++tested[sample];
    EXPECT_NEAR(ones_of(parts.test), 3, 1);
    EXPECT_NEAR(ones_of(parts.validation), 3, 1);
    EXPECT_EQ(parts.validation, fold_parts(data, (fold + 1) % 10).test);
  }
  EXPECT_EQ(tested.size(), 103U);
  for (const auto& [sample, times] : tested) EXPECT_EQ(times, 1);
}

TEST(FoldParts, SplitDataKeepsItsTestSplitAndLeavesValidOut) {
  const DataSet data =
      data_of({split_of("train", 100, 50), split_of("valid", 10, 5), split_of("test", 20, 10)});
  std::set<std::string> validated;
  for (int fold = 0; fold < kEvaluationFolds; ++fold) {
    const FoldParts parts = fold_parts(data, fold);
    EXPECT_EQ(parts.train.size(), 90U);
    EXPECT_EQ(parts.validation.size(), 10U);
    EXPECT_EQ(ones_of(parts.validation), 5);
    EXPECT_EQ(parts.test.size(), 20U);
    for (const Sample* sample : parts.test) EXPECT_TRUE(sample->id.starts_with("test"));
    for (const Sample* sample : parts.validation) {
      EXPECT_TRUE(sample->id.starts_with("train"));
      validated.insert(sample->id);
    }
  }
  EXPECT_EQ(validated.size(), 100U);
}

TEST(FoldParts, RefusesTooFewGraphsAndBadFolds) {
  const DataSet data = data_of({split_of("all", 100, 9)});
  EXPECT_THROW(fold_parts(data, 0), UsageError);
  const DataSet enough = data_of({split_of("all", 100, 50)});
  EXPECT_THROW(fold_parts(enough, 10), UsageError);
  EXPECT_THROW(fold_parts(enough, -1), UsageError);
}

TEST(Measure, ByHand) {
  // truth 1 1 1 0 0, said 1 1 0 0 1: class 1 F1 = 2*2/(3+3), class 0 F1 = 2*1/(2+2).
  const DataSet data = data_of({split_of("all", 5, 3)});
  const std::vector<const Sample*> samples = data.all();
  std::vector<Prediction> said;
  for (const int label : {1, 1, 0, 0, 1}) said.push_back({label, {0, 0}});
  const Metrics metrics = measure(samples, said, 2);
  EXPECT_EQ(metrics.count, 5U);
  EXPECT_DOUBLE_EQ(metrics.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(metrics.positive_f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.macro_f1, (2.0 / 3 + 0.5) / 2);
  EXPECT_EQ(metrics.confusion, (std::vector<std::vector<std::size_t>>{{1, 1}, {1, 2}}));
}

TEST(Measure, TrustsNoAnswer) {
  const DataSet data = data_of({split_of("all", 2, 1)});
  const std::vector<const Sample*> samples = data.all();
  const auto measured = [&](std::vector<Prediction> said) { return measure(samples, said, 2); };
  EXPECT_NO_THROW(measured({{0, {0, 0}}, {1, {0, 0}}}));
  EXPECT_THROW(measured({{0, {0, 0}}}), Error);
  EXPECT_THROW(measured({{0, {0, 0}}, {2, {0, 0}}}), Error);
  EXPECT_THROW(measured({{0, {0, 0}}, {-1, {0, 0}}}), Error);
  EXPECT_THROW(measured({{0, {0, 0}}, {1, {0}}}), Error);
  EXPECT_THROW(measured({{0, {0, 0}}, {1, {0, std::nan("")}}}), Error);
  EXPECT_THROW(measure(samples, std::vector<Prediction>(2, {0, {0}}), 1), Error);
}

}  // namespace
}  // namespace bermuda
