#include "bermuda/run/execute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/run/folder.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

/// Says 1 where a graph has more edges than the limit, which grows by one per epoch.
class Climbing : public Method {
 public:
  std::string_view name() const override { return "climbing"; }
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("epochs", epochs_, 1, 100, "how many").add("fail-at", fail_at_, 0, 100, "stop there");
    return set.only_stops();
  }
  FitReport fit(const FitTask& task, const Execution&) override {
    FitReport report;
    limit_ = task.initial.empty() ? 0 : task.initial[0] - '0';
    if (const std::string last = task.journal->last_checkpoint(); !last.empty()) {
      ByteReader in(last);
      limit_ = in.number<int>();
      report.curve.resize(in.number<std::uint64_t>());
      for (std::size_t i = 0; i < report.curve.size(); ++i) report.curve[i] = epoch(i);
    }
    while (report.curve.size() < static_cast<std::size_t>(epochs_)) {
      if (static_cast<int>(report.curve.size()) + 1 == fail_at_) throw Error("as it was told");
      report.curve.push_back(epoch(report.curve.size()));
      ++limit_;
      ByteWriter out;
      out.number(limit_);
      out.number(static_cast<std::uint64_t>(report.curve.size()));
      task.journal->save(out.bytes(), report.curve);
    }
    report.epochs = report.best_epoch = epochs_;
    report.validation_accuracy = 0.5;
    report.details = {{"limit", limit_}};
    return report;
  }
  std::vector<Prediction> predict(Samples samples, const Execution&) const override {
    std::vector<Prediction> said;
    for (const Sample* sample : samples) {
      said.push_back({sample->graph.edge_count() > limit_ ? 1 : 0, {0, 1}});
    }
    return said;
  }
  void save(ByteWriter& out) const override { out.number(limit_); }
  void load(ByteReader& in) override { limit_ = in.number<int>(); }

 private:
  static EpochRecord epoch(std::size_t i) {
    return {static_cast<int>(i) + 1, 0.01, 0.5, 0.5, 0.25, 0.75, 0};
  }

  int epochs_ = 2;
  int fail_at_ = 0;
  int limit_ = 0;
};

MethodRegistry registry() {
  MethodRegistry methods;
  MethodInfo info;
  info.name = "climbing";
  info.make = [] { return std::make_unique<Climbing>(); };
  methods.add(std::move(info));
  return methods;
}

/// Class 1 has three edges, class 0 none.
DataSet data_set() {
  DataSet data;
  data.name = "edges";
  data.class_names = {"none", "three"};
  Split& split = data.splits.emplace_back();
  split.name = "all";
  for (int i = 0; i < 40; ++i) {
    const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 3}};
    split.samples.push_back({"g" + std::to_string(i),
                             i % 2,
                             Graph(4 + i, i % 2 == 0 ? std::vector<Edge>{} : edges),
                             {},
                             -1,
                             ""});
  }
  return data;
}

class RunTest : public testing::Test {
 protected:
  RunTest() : place_(fs::temp_directory_path() / ("bermuda-run-" + std::to_string(::getpid()))) {
    fs::create_directories(place_);
  }
  ~RunTest() override { fs::remove_all(place_); }

  static std::unique_ptr<Method> method(int epochs, int fail_at = 0) {
    auto made = std::make_unique<Climbing>();
    made->parameters().get("epochs").set(std::to_string(epochs));
    made->parameters().get("fail-at").set(std::to_string(fail_at));
    return made;
  }

  RunResult train(const char* name, Method& method, bool resume = false,
                  const std::string& initial = "") {
    const RunSpec spec = describe_run(method, data_, 2, 5, initial);
    RunFolder folder(place_ / name, false, spec);
    if (resume) folder.resume(method.settings());
    const RunResult result = execute(spec, data_, method, folder, {}, initial);
    folder.finish(result, method, data_);
    return result;
  }

  /// But for what differs between two runs of the same key.
  static std::string found(RunResult result) {
    result.seconds = result.cpu_seconds = 0;
    return to_json(result).dump();
  }

  fs::path place_;
  DataSet data_ = data_set();
};

TEST_F(RunTest, IsTheSameIntoAFolderAndIntoACheckpointFile) {
  const auto trained = method(2);
  const RunResult one = train("run", *trained);
  EXPECT_EQ(one.test.accuracy, 1);
  EXPECT_EQ(one.answers.size(), 4U);

  RunSpec spec = describe_run(*trained, data_, 2, 5);
  const auto again = make_method(registry(), spec);
  CheckpointJournal journal(place_ / "file", spec, again->settings());
  EXPECT_EQ(found(execute(spec, data_, *again, journal, {})), found(one));
}

TEST_F(RunTest, AFolderTellsWhatWasFound) {
  const auto trained = method(3);
  const RunResult result = train("run", *trained);
  EXPECT_EQ(result.test.accuracy, 0.5);
  const FinishedRun run = read_finished_run(place_ / "run");
  RunSpec spec = describe_run(*trained, data_, 2, 5);
  EXPECT_EQ(run.spec.fit_checksum, spec.fit_checksum);
  EXPECT_THAT(fit_differences(run.spec, spec, trained->settings(), "run"), testing::IsEmpty());
  EXPECT_EQ(to_json(run), to_json(FinishedRun{spec, result, data_.class_names}));
  RunResult expected = result;
  expected.answers.clear();
  expected.host.clear();
  EXPECT_EQ(to_json(run.result), to_json(expected));
  RunResult asked;
  test_method(*read_model(place_ / "run", registry()).method, data_, fold_parts(data_, 2), {},
              asked);
  EXPECT_EQ(asked.test.confusion, result.test.confusion);
}

TEST_F(RunTest, GoesOnWhereItStopped) {
  const auto stops = method(6, 4);
  EXPECT_THROW(train("stopped", *stops), Error);
  EXPECT_TRUE(is_unfinished_run(place_ / "stopped"));
  EXPECT_THROW(read_finished_run(place_ / "stopped"), UsageError);
  EXPECT_THROW(read_model(place_ / "stopped", registry()), UsageError);
  EXPECT_THROW(train("stopped", *method(7), true), UsageError) << "another run";
  const auto goes_on = method(6, 3);  // it would fail there if it came along again
  EXPECT_EQ(found(train("stopped", *goes_on, true)), found(train("whole", *method(6))));
  EXPECT_EQ(read_file(place_ / "stopped" / kEpochsFile), read_file(place_ / "whole" / kEpochsFile));
  EXPECT_EQ(read_file(place_ / "stopped" / kCurvesFile), read_file(place_ / "whole" / kCurvesFile));
  EXPECT_FALSE(fs::exists(place_ / "stopped" / kCheckpointFile));
}

TEST_F(RunTest, AModelToBeginWithMakesAnotherRun) {
  const auto plain = method(2);
  const auto begun = method(2);
  EXPECT_NE(describe_run(*plain, data_, 2, 5).key(), describe_run(*plain, data_, 2, 5, "1").key());
  EXPECT_EQ(train("plain", *plain).chosen.at("limit"), 2);
  EXPECT_EQ(train("begun", *begun, false, "1").chosen.at("limit"), 3);
  EXPECT_NE(read_finished_run(place_ / "begun").spec.initial, "");
}

TEST_F(RunTest, ADamagedRecordIsRefused) {
  train("run", *method(2));
  const fs::path file = place_ / "run" / kRunFile;
  const std::string good = read_file(file);
  const auto write = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    write_file_atomically(file, bad, true);
  };
  write("\"fold\"", "\"fold_\"");
  EXPECT_THROW(read_finished_run(place_ / "run"), InputError);
  write("\"none\",", "");
  EXPECT_THROW(read_finished_run(place_ / "run"), InputError);
}

/// Remembers what it will be asked, and says 1 where node 0 has a neighbour.
class FirstNode : public Climbing {
 public:
  FitReport fit(const FitTask& task, const Execution& execution) override {
    questions.assign(task.questions.begin(), task.questions.end());
    return Climbing::fit(task, execution);
  }
  std::vector<Prediction> predict(Samples samples, const Execution&) const override {
    std::vector<Prediction> said;
    for (const Sample* sample : samples) {
      const bool known = std::ranges::find(questions, sample) != questions.end();
      EXPECT_TRUE(known) << "a graph that the fit was not told of";
      const bool has_edge =
          std::ranges::any_of(sample->graph.edges(), [](const Edge& edge) { return edge.u == 0; });
      said.push_back({has_edge ? 1 : 0, {0, 1}});
    }
    return said;
  }
  std::vector<const Sample*> questions;
};

TEST_F(RunTest, AsksWhatTheSpecificationNames) {
  FirstNode asked;
  RunSpec spec = describe_run(asked, data_, 2, 5);
  const std::string plain = spec.key();
  DataSet twins = data_set();
  std::size_t place = 0;
  for (Split& split : twins.splits) {
    for (Sample& sample : split.samples) {
      sample.id = std::to_string(place / 2) + (place % 2 == 0 ? "-a" : "-b");
      ++place;
    }
  }
  spec.asks = {{"twins", data_checksum(twins), true, 0}, {"renumbered", "", false, 10}};
  EXPECT_NE(spec.key(), plain);
  CheckpointJournal journal(place_ / "file", spec, asked.settings());
  twins.splits[0].samples[0].graph = Graph(4, {{0, 1}});  // one of the first pair is not told
  const RunResult result = execute(spec, data_, asked, journal, {}, "", {{"twins", &twins}});
  ASSERT_EQ(result.asked.size(), 2U);
  EXPECT_EQ(result.asked[0].metrics.count, 40U);
  EXPECT_EQ(result.asked[0].both_right, 19U);
  EXPECT_EQ(result.asked[0].metrics.accuracy, 39.0 / 40);
  EXPECT_FALSE(result.asked[0].changed);
  EXPECT_EQ(result.asked[1].metrics.count, 10 * result.test.count);
  // Graphs of class 1 have four nodes with edges, of four and more.
  EXPECT_GT(result.asked[1].changed, 0U);
  EXPECT_LT(result.asked[1].changed, 10 * result.test.count / 2 + 1);
  EXPECT_FALSE(result.asked[1].both_right);
  EXPECT_EQ(flaw_of(result), "");
  EXPECT_EQ(run_spec_of(to_json(spec)).key(), spec.key());
  EXPECT_EQ(fit_json(spec), fit_json(describe_run(asked, data_, 2, 5))) << "a checkpoint's";
  EXPECT_THROW(execute(spec, data_, asked, journal, {}), Error) << "without the graphs";
  twins.class_names[0] = "other";
  EXPECT_THROW(execute(spec, data_, asked, journal, {}, "", {{"twins", &twins}}), Error);
}

TEST(Asked, FiguresThatCannotBeAreNamed) {
  const std::vector<Ask> asks = {{"twins", "abc", true, 0}, {"renumbered", "", false, 3}};
  const AskedResult twins = {"twins", {4, 0.75, 0.7, 0.8, {{2, 0}, {1, 1}}}, 1, {}};
  const AskedResult again = {"renumbered", {6, 1, 1, 1, {{3, 0}, {0, 3}}}, {}, 2};
  EXPECT_EQ(flaw_of_asked(asks, {twins, again}, 2), "");
  const auto flaw = [&](const auto& change) {
    std::vector<AskedResult> results = {twins, again};
    change(results);
    return flaw_of_asked(asks, results, 2);
  };
  EXPECT_THAT(flaw([](auto& all) { all.pop_back(); }), testing::HasSubstr("1 answered of 2"));
  EXPECT_THAT(flaw([](auto& all) { std::swap(all[0], all[1]); }), testing::HasSubstr("other"));
  EXPECT_THAT(flaw([](auto& all) { all[0].both_right = 2; }), testing::HasSubstr("2 pairs"));
  EXPECT_THAT(flaw([](auto& all) { all[0].both_right = 0; }), testing::HasSubstr("0 pairs"));
  EXPECT_THAT(flaw([](auto& all) { all[0].both_right.reset(); }), testing::HasSubstr("pairs"));
  EXPECT_THAT(flaw([](auto& all) { all[0].metrics.count = 3; }), testing::HasSubstr("3 graphs"));
  EXPECT_THAT(flaw([](auto& all) { all[1].changed.reset(); }), testing::HasSubstr("renumbered"));
  EXPECT_THAT(flaw([](auto& all) { all[1].changed = 7; }), testing::HasSubstr("7 changed"));
  EXPECT_THAT(flaw([](auto& all) { all[1].metrics.count = 4; }), testing::HasSubstr("3 rounds"));
}

TEST(Asked, SpecificationsThatCannotBeAreRefused) {
  using Json = nlohmann::ordered_json;
  const std::vector<Ask> asks = {{"twins", "abc", true, 0}, {"renumbered", "", false, 3}};
  EXPECT_EQ(asks_of(to_json(asks)), asks);
  for (const char* text :
       {R"(3)", R"([3])", R"([{"rounds": 3}])", R"([{"name": "a"}])",
        R"([{"name": "a", "rounds": 0}])", R"([{"name": "a", "rounds": 101}])",
        R"([{"name": "a", "rounds": 1, "data_checksum": "x"}])",
        R"([{"name": "a", "rounds": 1, "pairs": true}])", R"([{"name": 1, "rounds": 1}])",
        R"([{"name": "a", "rounds": 1}, {"name": "a", "rounds": 2}])",
        R"([{"name": "a", "data_checksum": "x", "pairs": 3}])"}) {
    EXPECT_ANY_THROW(asks_of(Json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace bermuda
