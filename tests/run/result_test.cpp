#include "bermuda/run/result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/epoch_columns.hpp"

namespace bermuda {
namespace {

TEST(EpochColumns, AreAllThatAnEpochHas) {
  EXPECT_EQ(sizeof(EpochRecord), (1 + kEpochColumns.size()) * sizeof(double))
      << "a member without its line in kEpochColumns is in no file";
  EpochRecord record;
  for (const EpochColumn& column : kEpochColumns) record.*column.field += 1;
  for (const EpochColumn& column : kEpochColumns) EXPECT_EQ(record.*column.field, 1) << column.name;
}

TEST(EpochsTable, IsWrittenAndRead) {
  const std::vector<EpochRecord> curve = {{1, 0.01, 0.6931471805, 0.5, std::nan(""), 0.75, 1.25},
                                          {2, 0.001, 0.25, 1, 1e-9, 0, 0.0004}};
  const std::string table = epochs_table(curve);
  EXPECT_EQ(table,
            "epoch\tlearning_rate\ttrain_loss\ttrain_accuracy\tvalidation_loss\t"
            "validation_accuracy\tseconds\n"
            "1\t0.01\t0.693147\t0.5\tnan\t0.75\t1.250\n"
            "2\t0.001\t0.25\t1\t1e-09\t0\t0.000\n");
  const std::vector<EpochRecord> again = parse_epochs_table(table, "file");
  ASSERT_EQ(again.size(), 2U);
  EXPECT_TRUE(std::isnan(again[0].validation_loss));
  EXPECT_EQ(again[1].validation_loss, 1e-9);
  EXPECT_EQ(epochs_table(again), table);
  EXPECT_THROW(parse_epochs_table(table + "3\t1\n", "file"), InputError);
}

TEST(RunResult, MayLackWhatNotEveryFileKeeps) {
  RunResult result;
  result.test.confusion = {{1, 0}, {0, 1}};
  result.answers = {{0, 1, 1}};
  result.curve = {{1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
  result.last = LastEpoch{{1, 1, 1, 1, {{0, 0}, {0, 1}}}, {{0, 0, 1}}};
  auto json = to_json(result);
  EXPECT_EQ(to_json(run_result_of(json)), json);
  for (const char* name : {"answers", "curve", "host", "cpu_seconds", "last"}) json.erase(name);
  const RunResult part = run_result_of(json);
  EXPECT_THAT(part.answers, testing::IsEmpty());
  EXPECT_THAT(part.curve, testing::IsEmpty());
  EXPECT_FALSE(part.last);
  json["last"] = nullptr;
  EXPECT_FALSE(run_result_of(json).last);
  json["last"] = 3;
  EXPECT_THROW(run_result_of(json), JsonError);
  json["last"] = nullptr;
  json.erase("test");
  EXPECT_THROW(run_result_of(json), nlohmann::ordered_json::exception);
}

TEST(RunResult, AnswersInFewBytes) {
  const std::vector<Answer> in_order = {{0, 1, 0}, {1, 0, 0}, {2, 1, 1}};
  EXPECT_EQ(compact_answers(in_order).dump(), R"({"said":"101","truth":"001"})");
  const std::vector<Answer> elsewhere = {{7, 1, 0}, {3, 0, 2}};
  EXPECT_EQ(compact_answers(elsewhere).dump(), R"({"said":"10","truth":"02","places":"7 3"})");
  const std::vector<Answer> many = {{0, 10, 0}};
  EXPECT_EQ(compact_answers(many).dump(), "[[0,10,0]]");
  for (const auto& answers : {in_order, elsewhere, many, std::vector<Answer>{}}) {
    const std::vector<Answer> again = answers_of(compact_answers(answers));
    EXPECT_EQ(compact_answers(again), compact_answers(answers));
    EXPECT_EQ(again.size(), answers.size());
  }
  using nlohmann::ordered_json;
  for (const char* wrong :
       {R"({"said":"1","truth":"01"})", R"({"said":"x","truth":"0"})",
        R"({"said":"0","truth":":"})", R"({"said":"0","truth":"0","places":"1 2"})",
        R"({"said":"0","truth":"0","places":"-1"})", R"({"said":"0","truth":"0","places":"1e9"})",
        R"({"said":0,"truth":"0"})", R"([[0,0,-1]])"}) {
    EXPECT_THROW(answers_of(ordered_json::parse(wrong)), JsonError) << wrong;
  }
}

TEST(RunResult, TheLastEpochIsKnownWhereItWasKept) {
  RunResult result;
  EXPECT_EQ(metrics_at(result, WhichEpoch::kLast), &result.test);
  result.epochs = 3;
  EXPECT_EQ(metrics_at(result, WhichEpoch::kKept), &result.test);
  EXPECT_EQ(metrics_at(result, WhichEpoch::kLast), nullptr);
  result.last.emplace();
  EXPECT_EQ(metrics_at(result, WhichEpoch::kLast), &result.last->test);
  EXPECT_EQ(&answers_at(result, WhichEpoch::kLast), &result.last->answers);
  EXPECT_EQ(&answers_at(result, WhichEpoch::kKept), &result.answers);
}

TEST(FlawOf, NamesWhatIsImpossible) {
  RunResult good;
  good.test = {4, 0.75, 0.7, 0.8, {{1, 1}, {0, 2}}};
  good.answers = {{3, 0, 0}, {5, 1, 0}, {6, 1, 1}, {9, 1, 1}};
  EXPECT_EQ(flaw_of(good), "");
  const auto flaw = [&](auto change) {
    RunResult result = good;
    change(result);
    return flaw_of(result);
  };
  EXPECT_EQ(flaw([](RunResult& r) { r.test.accuracy = 7; }), "7 as accuracy");
  EXPECT_EQ(flaw([](RunResult& r) { r.test.macro_f1 = std::nan(""); }), "nan as macro-F1");
  EXPECT_THAT(flaw([](RunResult& r) { r.test.accuracy = 0.5; }), testing::HasSubstr("3 right"));
  EXPECT_THAT(flaw([](RunResult& r) { r.test.count = 5; }), testing::HasSubstr("of 5 that were"));
  EXPECT_THAT(flaw([](RunResult& r) { r.test.confusion[1].push_back(0); }),
              testing::HasSubstr("no square"));
  EXPECT_NE(flaw([](RunResult& r) { r.test.confusion.clear(); }), "");
  EXPECT_THAT(flaw([](RunResult& r) { r.answers[0].said = 2; }), testing::HasSubstr("class 2"));
  EXPECT_THAT(flaw([](RunResult& r) { r.answers[0].truth = -1; }), testing::HasSubstr("class -1"));
  EXPECT_THAT(flaw([](RunResult& r) { r.answers[1].place = 3; }), testing::HasSubstr("graph 3"));
  EXPECT_NE(flaw([](RunResult& r) { r.answers.pop_back(); }), "");
  EXPECT_NE(flaw([](RunResult& r) { r.validation_accuracy = -0.5; }), "");
  EXPECT_NE(flaw([](RunResult& r) { r.best_epoch = 2; }), "");
  EXPECT_NE(flaw([](RunResult& r) { r.seconds = -1; }), "");
  good.last =
      LastEpoch{{4, 0.5, 0.5, 0.5, {{2, 0}, {2, 0}}}, {{3, 0, 0}, {5, 0, 0}, {6, 0, 1}, {9, 0, 1}}};
  EXPECT_EQ(flaw_of(good), "");
  EXPECT_EQ(flaw([](RunResult& r) { r.last->test.accuracy = 7; }),
            "7 as accuracy at the last epoch");
  EXPECT_EQ(flaw([](RunResult& r) {
              r.last->test.confusion = {{1, 0}, {2, 1}};
            }),
            "other test graphs at the last epoch");
  EXPECT_EQ(flaw([](RunResult& r) { r.last->answers.clear(); }),
            "answers for other graphs at the last epoch");
  EXPECT_EQ(flaw([](RunResult& r) { r.last->answers[0].place = 4; }),
            "answers for other graphs at the last epoch");
  EXPECT_EQ(flaw([](RunResult& r) { r.last->answers[0].said = 1; }),
            "answers of another confusion matrix at the last epoch");
}

}  // namespace
}  // namespace bermuda
