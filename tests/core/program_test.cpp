#include "bermuda/core/program.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace bermuda {
namespace {

using std::chrono::duration;

ProgramEnd run(const std::string& command, double limit = 0) {
  return run_program({command, {"a b", "c"}, {{"BERMUDA_TEST", "yes"}}, duration<double>(limit)},
                     {});
}

TEST(Program, GetsItsArgumentsAndTheEnvironment) {
  const ProgramEnd end = run("printf '%s,' \"$BERMUDA_TEST\"; printf '%s;'");
  EXPECT_TRUE(end.good());
  EXPECT_EQ(end.tail, "yes,a b;c;");
}

TEST(Program, BothStreamsAreTold) { EXPECT_EQ(run("echo out; echo err >&2 #").tail, "out\nerr\n"); }

TEST(Program, ReadsNothingAndInheritsNoFile) {
  const ProgramEnd end = run("cat; ls /proc/self/fd | wc -l #");
  EXPECT_EQ(end.tail, "4\n");  // the three, and the folder that ls reads
}

TEST(Program, TellsHowItEnded) {
  const ProgramEnd failed = run("exit 7 #");
  EXPECT_EQ(failed.exit_code, 7);
  EXPECT_EQ(end_text(failed, {}), "ended with code 7");
  const ProgramEnd killed = run("kill -9 $$ #");
  EXPECT_EQ(killed.signal, 9);
  EXPECT_EQ(end_text(killed, {}), "was ended by signal 9 (Killed)");
  EXPECT_EQ(run("sh -c 'kill -9 $$'; exit $? #").signal, 9);
  EXPECT_EQ(end_text(run("true"), {}), "");
  EXPECT_EQ(run("nosuchprogram").exit_code, 127);
}

TEST(Program, IsEndedAtItsLimitAlsoWhenItDoesNotWantTo) {
  for (const char* command : {"sleep 60 #", "trap '' TERM; while :; do sleep 0.1; done #"}) {
    const auto start = std::chrono::steady_clock::now();
    const ProgramEnd end = run(command, 0.2);
    EXPECT_TRUE(end.out_of_time);
    EXPECT_FALSE(end.good());
    EXPECT_EQ(end_text(end, duration<double>(0.2)), "was stopped after 0.2 s");
    EXPECT_LT(duration<double>(std::chrono::steady_clock::now() - start).count(), 20);
  }
}

TEST(Program, StopsWhenTheUserAsks) {
  std::atomic<bool> stop = false;
  Execution execution;
  execution.stop = &stop;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_THROW(run_program({"sleep 60 #", {}}, execution), Interrupted);
  user.join();
}

TEST(Program, KeepsTheEndOfMuch) {
  const ProgramEnd end = run("seq 200000; echo last #");
  EXPECT_TRUE(end.good());
  EXPECT_LE(end.tail.size(), 2000U);
  EXPECT_TRUE(end.tail.ends_with("199999\n200000\nlast\n"));
}

TEST(Program, TellsItsLines) {
  std::vector<std::string> lines;
  ProgramCall call{"echo one; sleep 0.3; echo two #", {}};
  call.line = [&](std::string_view line) { lines.emplace_back(line); };
  run_program(call, {});
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
}

}  // namespace
}  // namespace bermuda
