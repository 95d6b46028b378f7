#include "bermuda/method/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

/// Graphs of equal i / alike are isomorphic, and only these.
Split split_of(const std::string& name, int count, int ones, int alike = 1) {
  Split split{name, {}};
  for (int i = 0; i < count; ++i) {
    Sample sample;
    sample.id = name + std::to_string(i);
    sample.label = i < ones ? 1 : 0;
    sample.graph = Graph(2, {{0, 1}}, {i / alike, 0});
    if (i % 2 == 1) sample.graph = Graph(2, {{0, 1}}, {0, i / alike});
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

/// In how many of the samples' folds a group of isomorphic graphs is, at most.
std::size_t most_folds_of_a_group(const DataSet& data, Folding folding) {
  std::map<int, std::set<int>> folds;
  for (int fold = 0; fold < kEvaluationFolds; ++fold) {
    for (const Sample* sample : fold_parts(data, fold, folding).validation) {
      const std::vector<int>& labels = sample->graph.node_labels();
      folds[labels[0] + labels[1]].insert(fold);
    }
  }
  std::size_t most = 0;
  for (const auto& [group, in] : folds) most = std::max(most, in.size());
  return most;
}

TEST(FoldParts, IsomorphicGraphsAreTogetherInDataWithATestSplit) {
  const DataSet data = data_of({split_of("train", 300, 120, 3), split_of("test", 20, 10)});
  EXPECT_EQ(most_folds_of_a_group(data, Folding::kUsual), 1U);
  EXPECT_EQ(most_folds_of_a_group(data, Folding::kGrouped), 1U);
  EXPECT_GT(most_folds_of_a_group(data, Folding::kStratified), 1U);
  for (int fold = 0; fold < kEvaluationFolds; ++fold) {
    const FoldParts parts = fold_parts(data, fold);
    EXPECT_EQ(parts.validation.size(), 30U);
    EXPECT_EQ(ones_of(parts.validation), 12);
    EXPECT_EQ(parts.validation,
              fold_parts(data, fold, Folding::kUsual, Execution{.threads = 3}).validation);
  }
}

TEST(FoldParts, IsomorphicGraphsOfPooledDataAreTogetherWhenAsked) {
  const DataSet data = data_of({split_of("all", 300, 120, 3)});
  EXPECT_GT(most_folds_of_a_group(data, Folding::kUsual), 1U);
  EXPECT_GT(most_folds_of_a_group(data, Folding::kStratified), 1U);
  EXPECT_EQ(most_folds_of_a_group(data, Folding::kGrouped), 1U);
  EXPECT_EQ(fold_parts(data, 3).test, fold_parts(data, 3, Folding::kStratified).test);
}

TEST(FoldParts, RefusesFoldsThatIsomorphicGraphsLeaveEmpty) {
  const DataSet data = data_of({split_of("train", 100, 50, 100), split_of("test", 20, 10)});
  EXPECT_THROW(fold_parts(data, 0), UsageError);
  EXPECT_NO_THROW(fold_parts(data, 0, Folding::kStratified));
  // One class is one graph over and over: the fold that has it leaves none to train on.
  DataSet one_class = data_of({split_of("train", 100, 20), split_of("test", 20, 10)});
  for (Sample& sample : one_class.splits[0].samples) {
    if (sample.label == 1) sample.graph = Graph(3, {{0, 1}});
  }
  EXPECT_THROW(fold_parts(one_class, 0), UsageError);
}

TEST(FoldParts, FoldingsHaveNamesAndTheUsualOneGoesByItsOwn) {
  for (const Folding folding : {Folding::kUsual, Folding::kGrouped, Folding::kStratified}) {
    EXPECT_EQ(folding_named(folding_name(folding)), folding);
  }
  EXPECT_THROW(folding_named("group"), UsageError);
  const DataSet pooled = data_of({split_of("all", 20, 10)});
  EXPECT_EQ(plain_folding(pooled, Folding::kStratified), Folding::kUsual);
  EXPECT_EQ(plain_folding(pooled, Folding::kGrouped), Folding::kGrouped);
  const DataSet fixed = data_of({split_of("train", 20, 10), split_of("test", 20, 10)});
  EXPECT_EQ(plain_folding(fixed, Folding::kGrouped), Folding::kUsual);
  EXPECT_EQ(plain_folding(fixed, Folding::kStratified), Folding::kStratified);
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

TEST(Measure, F1OfEveryClassFromTheMatrix) {
  // truth 0 0 1 1 2 2, said 0 1 1 1 0 0; nobody is of class 3.
  DataSet data = data_of({split_of("all", 6, 0)});
  for (std::size_t i = 0; i < 6; ++i) data.splits[0].samples[i].label = static_cast<int>(i / 2);
  std::vector<Prediction> said;
  for (const int label : {0, 1, 1, 1, 0, 0}) said.push_back({label, {0, 0, 0, 0}});
  const Metrics metrics = measure(data.all(), said, 4);
  const std::vector<double> f1 = f1_by_class(metrics);
  EXPECT_EQ(f1, (std::vector<double>{2.0 / 5, 4.0 / 5, 0, 0}));
  EXPECT_DOUBLE_EQ((f1[0] + f1[1] + f1[2]) / 3, metrics.macro_f1);
  EXPECT_EQ(told_json(metrics)["f1"], f1);
  // Stored results are read back key by key: theirs stay as they were.
  EXPECT_FALSE(to_json(metrics).contains("f1"));
  const DataSet of_two = data_of({split_of("all", 5, 3)});
  const Metrics two = measure(of_two.all(), std::vector<Prediction>(5, {1, {0, 0}}), 2);
  EXPECT_DOUBLE_EQ(f1_by_class(two).back(), two.positive_f1);
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
