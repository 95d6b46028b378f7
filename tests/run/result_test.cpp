#include "bermuda/run/result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bermuda/core/error.hpp"
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
  auto json = to_json(result);
  EXPECT_EQ(to_json(run_result_of(json)), json);
  for (const char* name : {"answers", "curve", "host", "cpu_seconds"}) json.erase(name);
  const RunResult part = run_result_of(json);
  EXPECT_THAT(part.answers, testing::IsEmpty());
  EXPECT_THAT(part.curve, testing::IsEmpty());
  json.erase("test");
  EXPECT_THROW(run_result_of(json), nlohmann::ordered_json::exception);
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
}

}  // namespace
}  // namespace bermuda
