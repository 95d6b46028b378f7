#include "bermuda/bench/job.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bermuda {
namespace {

TEST(Job, MessagesComeThroughWhole) {
  RunResult result;
  result.epochs = 3;
  result.test.count = 2;
  result.test.confusion = {{1, 0}, {1, 0}};
  result.answers = {{0, 1, 1}, {5, 0, 1}};
  result.curve = {{1, 0.1, std::nan(""), 0.5, 0.25, 0.75, 2}};
  result.last = LastEpoch{{2, 1, 1, 1, {{0, 0}, {0, 2}}}, {{0, 1, 1}, {5, 1, 1}}};
  result.asked = {{"twins", {4, 0.75, 0.7, 0.8, {{2, 0}, {1, 1}}}, 1, {}},
                  {"renumbered", {6, 1, 1, 1, {{3, 0}, {0, 3}}}, {}, 2}};
  result.host = "h";
  const auto said = decode_job_message(encode_job_message(result));
  const auto& again = std::get<RunResult>(said);
  EXPECT_EQ(to_json(again).dump(), to_json(result).dump());
  EXPECT_TRUE(std::isnan(again.curve[0].train_loss));
  EXPECT_EQ(std::get<JobFailed>(decode_job_message(encode_job_message(JobFailed{"why\n"}))).reason,
            "why\n");
  Job job = {RunSpec{"gin", {{"width", 110}}, "tri", "abc", 3, 7}, "/data", "/file"};
  job.run->folding = Folding::kGrouped;
  job.run->asks = {{"twins", "def", true, 0}, {"renumbered", "", false, 3}};
  job.asked = {{"twins", "/twins"}};
  EXPECT_EQ(decode_job(encode_job(job)).run->asks, job.run->asks);
  EXPECT_EQ(decode_job(encode_job(job)).asked, job.asked);
  EXPECT_EQ(encode_job(decode_job(encode_job(job))), encode_job(job));
}

}  // namespace
}  // namespace bermuda
