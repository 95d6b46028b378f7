#include "bermuda/bench/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bermuda/bench/job.hpp"

namespace bermuda {
namespace {

TEST(RunSpec, KeyDependsOnAllThatTheResultDoes) {
  const RunSpec spec = {"gin", {{"width", 110}, {"rate", 0.1}}, "tri", "abc", 0, 1};
  RunSpec other = spec;
  other.data = "another name";
  other.options = {{"rate", 0.1}, {"width", 110}};
  EXPECT_EQ(other.key(), spec.key()) << "names of data and the order of options do not matter";
  std::set<std::string> keys = {spec.key()};
  const auto change = [&](auto edit) {
    RunSpec changed = spec;
    edit(changed);
    EXPECT_TRUE(keys.insert(changed.key()).second);
  };
  change([](RunSpec& s) { s.method = "gcn"; });
  change([](RunSpec& s) { s.options["width"] = 111; });
  change([](RunSpec& s) { s.options["depth"] = 1; });
  change([](RunSpec& s) { s.data_checksum = "abd"; });
  change([](RunSpec& s) { s.fold = 1; });
  change([](RunSpec& s) { s.seed = 2; });
}

TEST(Job, MessagesComeThroughWhole) {
  RunResult result;
  result.epochs = 3;
  result.test.count = 2;
  result.test.confusion = {{1, 0}, {1, 0}};
  result.answers = {{0, 1, 1}, {5, 0, 1}};
  result.curve = {{1, 0.1, std::nan(""), 0.5, 0.25, 0.75, 2}};
  result.host = "h";
  const auto said = decode_job_message(encode_job_message(result));
  const auto& again = std::get<RunResult>(said);
  EXPECT_EQ(to_json(again).dump(), to_json(result).dump());
  EXPECT_TRUE(std::isnan(again.curve[0].train_loss));
  EXPECT_EQ(std::get<JobFailed>(decode_job_message(encode_job_message(JobFailed{"why\n"}))).reason,
            "why\n");
  const Job job = {RunSpec{"gin", {{"width", 110}}, "tri", "abc", 3, 7}, "/data", "/file"};
  EXPECT_EQ(encode_job(decode_job(encode_job(job))), encode_job(job));
}

TEST(DataChecksum, SeesEveryPart) {
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits = {{"train", {{"a", 0, Graph(3, {{0, 1}}), {}, -1, ""}}}, {"test", {}}};
  std::set<std::string> sums = {data_checksum(data)};
  const auto change = [&](auto edit) {
    DataSet changed = data;
    edit(changed);
    EXPECT_TRUE(sums.insert(data_checksum(changed)).second);
  };
  change([](DataSet& d) { d.class_names[1] = "2"; });
  change([](DataSet& d) { d.splits[0].name = "valid"; });
  change([](DataSet& d) { d.splits[0].samples[0].id = "b"; });
  change([](DataSet& d) { d.splits[0].samples[0].label = 1; });
  change([](DataSet& d) { d.splits[0].samples[0].graph = Graph(3, {{0, 2}}); });
  change([](DataSet& d) { std::swap(d.splits[0].samples, d.splits[1].samples); });
}

}  // namespace
}  // namespace bermuda
