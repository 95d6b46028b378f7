#include "bermuda/core/execution.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

/// Writes down what it is told.
class Recorder : public ProgressSink {
 public:
  void begin(std::string_view what, std::size_t total) override {
    log += "begin " + std::string(what) + " " + std::to_string(total) + ";";
  }
  void advance(std::size_t done) override { log += "advance " + std::to_string(done) + ";"; }
  void status(std::string_view text) override { log += "status " + std::string(text) + ";"; }
  void finish() override { log += "finish;"; }
  void end() override { log += "end;"; }

  std::string log;
};

struct Case {
  int threads;
  std::size_t count;
  std::size_t chunk;
};

class ParallelFor : public ::testing::TestWithParam<Case> {};

TEST_P(ParallelFor, VisitsEveryItemOnce) {
  const auto [threads, count, chunk] = GetParam();
  std::vector<std::atomic<int>> visits(count);
  Execution execution;
  execution.threads = threads;
  parallel_for(execution, count, chunk, [&](std::size_t begin, std::size_t end) {
    EXPECT_LT(begin, end);
    EXPECT_LE(end - begin, chunk);
    ASSERT_LE(end, count);
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  });
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, ParallelFor,
                         ::testing::Values(Case{1, 0, 1}, Case{4, 0, 7}, Case{1, 10, 3},
                                           Case{2, 1, 100}, Case{3, 1000, 1}, Case{8, 1000, 7},
                                           Case{0, 5, 2}, Case{-1, 5, 2}, Case{64, 3, 1}));

TEST(ParallelForThreads, AreAllUsed) {
  Execution execution;
  execution.threads = 3;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(execution, 30, 1, [&](std::size_t, std::size_t) {
    {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  EXPECT_EQ(seen.size(), 3u);
}

TEST(ParallelForErrors, ComeOutAndStopTheRest) {
  for (const int threads : {1, 4}) {
    Execution execution;
    execution.threads = threads;
    std::atomic<int> calls = 0;
    const auto body = [&](std::size_t begin, std::size_t) {
      ++calls;
      if (begin == 5) throw std::invalid_argument("five");
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    };
    EXPECT_THROW(parallel_for(execution, 100000, 1, body), std::invalid_argument);
    EXPECT_LT(calls, 100000);
  }
}

TEST(ParallelForStop, ThrowsInterrupted) {
  std::atomic<bool> stop = false;
  Execution execution;
  execution.threads = 2;
  execution.stop = &stop;
  std::atomic<int> calls = 0;
  const auto body = [&](std::size_t, std::size_t) {
    if (++calls == 10) stop = true;
  };
  EXPECT_THROW(parallel_for(execution, 100000, 1, body), Interrupted);
  EXPECT_LT(calls, 100000);
}

TEST(Execution, ChecksStop) {
  std::atomic<bool> stop = false;
  Execution execution;
  EXPECT_NO_THROW(execution.check_stop());
  execution.stop = &stop;
  EXPECT_NO_THROW(execution.check_stop());
  stop = true;
  EXPECT_THROW(execution.check_stop(), Interrupted);
}

TEST(Stage, TellsTheSink) {
  Recorder recorder;
  Execution execution;
  execution.progress = &recorder;
  {
    const Stage stage(execution, "work", 10);
    stage.advance(4);
    stage.status("half way");
    stage.advance(1);
    stage.finish();
  }
  EXPECT_EQ(recorder.log, "begin work 10;advance 4;status half way;advance 1;finish;end;");
}

TEST(Stage, EndsWhenTheWorkFails) {
  Recorder recorder;
  Execution execution;
  execution.progress = &recorder;
  try {
    const Stage stage(execution, "work", 10);
    throw Interrupted();
  } catch (const Interrupted&) {
  }
  EXPECT_EQ(recorder.log, "begin work 10;end;");
}

TEST(Stage, IsSilentWithoutSink) {
  const Stage stage(Execution{}, "work", 10);
  stage.advance(3);
  stage.status("well");
  stage.finish();
}

}  // namespace
}  // namespace bermuda
