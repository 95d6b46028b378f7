#include "bermuda/method/pair_score.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bermuda/dataset/pairs.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {
namespace {

DataSet twins(std::size_t count) {
  DataSet data;
  data.name = "twins";
  data.class_names = {"0", "1"};
  data.provenance["pairs"] = {{"same", "degrees"}, {"count", count}};
  Split split{"all", {}};
  for (std::size_t i = 0; i < 2 * count; ++i) {
    Sample sample;
    sample.id = "p" + std::to_string(i / 2) + (i % 2 == 0 ? "-a" : "-b");
    sample.label = static_cast<int>((i + i / 2) % 2);
    sample.graph = Graph(2 + static_cast<int>(i), {{0, 1}});
    split.samples.push_back(std::move(sample));
  }
  data.splits.push_back(std::move(split));
  return data;
}

Prediction saying(int label) { return {label, {label == 0 ? 1.0 : 0.0, label == 1 ? 1.0 : 0.0}}; }

TEST(PairScore, CountsBothOneAndNone) {
  const DataSet data = twins(4);
  const std::vector<const Sample*> samples = data.all();
  std::vector<Prediction> said;
  for (std::size_t i = 0; i < 8; ++i) {
    const bool right = i < 4 || i == 5;  // pairs 0 and 1 both, 2 one, 3 none
    said.push_back(saying(right ? samples[i]->label : 1 - samples[i]->label));
  }
  const auto score = score_pairs(data, samples, said);
  ASSERT_TRUE(score);
  EXPECT_EQ(*score, (PairScore{4, 2, 1, 1}));
  EXPECT_DOUBLE_EQ(score->share(), 0.5);
  EXPECT_NEAR(score->low(), 0.15, 0.01);  // Wilson's interval of 2 in 4
  EXPECT_NEAR(score->high(), 0.85, 0.01);
  EXPECT_NE(score->text().find("both twins right: 50.0 % of 4 pairs"), std::string::npos);
  EXPECT_EQ(score->to_json()["both_right"], 2);
}

TEST(PairScore, OneAnswerForAllIsRightAboutOneTwin) {
  const DataSet data = twins(5);
  const std::vector<Prediction> said(10, saying(1));
  EXPECT_EQ(*score_pairs(data, data.all(), said), (PairScore{5, 0, 5, 0}));
}

TEST(PairScore, NothingWithoutPairs) {
  DataSet data = twins(2);
  const std::vector<Prediction> said(4, saying(1));
  data.splits[0].samples[0].label = Sample::kNoClass;
  EXPECT_EQ(score_pairs(data, data.all(), said)->pairs, 1u);
  const std::vector<const Sample*> samples = data.all();
  EXPECT_FALSE(score_pairs(data, std::span(samples).subspan(1, 2), std::span(said).subspan(1, 2)));
  data.provenance.erase("pairs");
  EXPECT_FALSE(score_pairs(data, data.all(), said));
}

// Who learns from one twin is told about the other.
TEST(PairFolds, KeepTwinsTogether) {
  DataSet data = twins(50);
  for (const Folding folding : {Folding::kUsual, Folding::kGrouped}) {
    for (int fold = 0; fold < kEvaluationFolds; ++fold) {
      const FoldParts parts = fold_parts(data, fold, folding);
      for (const auto* part : {&parts.train, &parts.validation, &parts.test}) {
        std::map<std::string_view, int> count;
        for (const Sample* sample : *part) ++count[pair_of(sample->id)];
        for (const auto& [pair, number] : count) EXPECT_EQ(number, 2) << pair;
      }
      EXPECT_EQ(parts.test.size(), 10u);
    }
  }
  EXPECT_EQ(plain_folding(data, Folding::kStratified), Folding::kStratified);
  data.provenance.erase("pairs");
  EXPECT_EQ(plain_folding(data, Folding::kStratified), Folding::kUsual);
  std::set<std::string_view> torn;
  const FoldParts parts = fold_parts(data, 0);
  for (const Sample* sample : parts.test) torn.insert(pair_of(sample->id));
  EXPECT_GT(torn.size(), 5u);
}

}  // namespace
}  // namespace bermuda
