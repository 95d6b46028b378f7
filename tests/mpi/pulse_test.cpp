#include "pulse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bermuda/core/error.hpp"

namespace bermuda::mpi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class PulseTest : public testing::Test {
 protected:
  Pulse::Clock::time_point at(milliseconds after) const { return begin_ + after; }
  void pass(Pulse& pulse, milliseconds from, milliseconds to) const {
    for (milliseconds now = from; now < to; now += milliseconds(100)) pulse.check(at(now));
  }
  const Pulse::Clock::time_point begin_ = Pulse::Clock::now();
};

TEST_F(PulseTest, RankZeroTalksWithAllTheOthersWithRankZero) {
  Pulse first(0, 3, seconds(10), begin_);
  Pulse last(2, 3, seconds(10), begin_);
  EXPECT_THAT(first.due(at(milliseconds(900))), IsEmpty());
  EXPECT_THAT(first.due(at(milliseconds(1000))), ElementsAre(1, 2));
  EXPECT_THAT(first.due(at(milliseconds(1900))), IsEmpty());
  EXPECT_THAT(last.due(at(seconds(5))), ElementsAre(0));
}

TEST_F(PulseTest, WhoIsSilentForTooLongIsNamed) {
  Pulse pulse(0, 3, seconds(10), begin_);
  pass(pulse, seconds(0), seconds(8));
  pulse.heard(1);
  pass(pulse, seconds(8), seconds(10));
  EXPECT_THAT([&] { pulse.check(at(seconds(10))); },
              ThrowsMessage<Error>(HasSubstr("nothing heard of rank 2 for 10 s")));
}

TEST_F(PulseTest, WhoHasSaidGoodbyeMayBeSilent) {
  Pulse pulse(0, 2, seconds(10), begin_);
  pulse.left(1);
  EXPECT_NO_THROW(pass(pulse, seconds(0), seconds(100)));
  EXPECT_THAT(pulse.due(at(seconds(100))), IsEmpty());
}

TEST_F(PulseTest, SleepDoesNotCount) {
  Pulse pulse(1, 2, seconds(10), begin_);
  EXPECT_NO_THROW(pulse.check(at(seconds(3600))));
  EXPECT_NO_THROW(pulse.check(at(seconds(7200))));
}

TEST_F(PulseTest, NoPatienceWaitsForEver) {
  Pulse pulse(1, 2, seconds(0), begin_);
  EXPECT_NO_THROW(pass(pulse, seconds(0), seconds(1000)));
  EXPECT_THAT(pulse.due(at(seconds(1000))), IsEmpty());
}

TEST(Patience, ComesFromTheEnvironment) {
  ::unsetenv("BERMUDA_MPI_PATIENCE");
  EXPECT_EQ(patience_with_ranks(), seconds(60));
  for (const auto& [text, patience] :
       {std::pair("300", milliseconds(300000)), std::pair("0", milliseconds(0)),
        std::pair("0.25", milliseconds(250))}) {
    ::setenv("BERMUDA_MPI_PATIENCE", text, 1);
    EXPECT_EQ(patience_with_ranks(), patience);
  }
  for (const char* text : {"", "-1", "nan", "inf", "1e9", "soon"}) {
    ::setenv("BERMUDA_MPI_PATIENCE", text, 1);
    EXPECT_THAT(patience_with_ranks, ThrowsMessage<UsageError>(HasSubstr("expected seconds")));
  }
  ::unsetenv("BERMUDA_MPI_PATIENCE");
}

}  // namespace
}  // namespace bermuda::mpi
