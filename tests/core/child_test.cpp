#include "bermuda/core/child.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

namespace bermuda {
namespace {

TEST(Child, GivesBackWhatTheWorkReturns) {
  EXPECT_EQ(run_in_child({}, [] { return std::string(); }), "");
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(run_in_child({}, [&] { return large; }), large);
}

TEST(Child, ThrowsWhatTheWorkThrows) {
  EXPECT_THROW(run_in_child({}, []() -> std::string { throw UsageError("no such layout"); }),
               UsageError);
  try {
    run_in_child({}, []() -> std::string { throw Error("it failed"); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "it failed");
  }
}

TEST(Child, ACrashIsAnError) {
  EXPECT_THROW(run_in_child({},
                            []() -> std::string {
                              ::raise(SIGKILL);
                              return "";
                            }),
               Error);
  EXPECT_THROW(run_in_child({}, []() -> std::string { ::_exit(3); }), Error);
}

TEST(Child, EndsWhenTheUserAsksToStop) {
  std::atomic<bool> stop{false};
  const Execution execution{.stop = &stop};
  const auto start = std::chrono::steady_clock::now();
  std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_THROW(run_in_child(execution,
                            [] {
                              ::sleep(60);
                              return std::string();
                            }),
               Interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(StopPoll, LooksEverySoManySteps) {
  std::atomic<bool> stop{true};
  StopPoll poll{Execution{.stop = &stop}};
  EXPECT_TRUE(poll.requested());
  EXPECT_NO_THROW(poll());
  EXPECT_THROW(poll(1'000'000), Interrupted);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10'000; ++i) poll();
      },
      Interrupted);
  EXPECT_THROW(poll.now(), Interrupted);
  StopPoll nobody;
  EXPECT_NO_THROW(nobody(1'000'000));
}

}  // namespace
}  // namespace bermuda
