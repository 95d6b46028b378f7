#include "bermuda/core/team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bermuda/core/error.hpp"
#include "bermuda/core/share.hpp"

namespace bermuda {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An environment without a launcher, and variables that are gone afterwards.
class TeamEnvironment : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_RANK",
          "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}) {
      ::unsetenv(name);
    }
  }
  static void put(const char* name, const char* value) { ::setenv(name, value, 1); }
};

TEST(SoloTeam, IsRankZeroOfOne) {
  const auto team = make_solo_team();
  EXPECT_EQ(team->rank(), 0);
  EXPECT_EQ(team->size(), 1);
  EXPECT_TRUE(team->in_charge());
}

TEST(SoloTeam, TalksToItself) {
  const auto team = make_solo_team();
  team->send(0, "first");
  team->send(0, std::string_view("a\0b", 3));
  EXPECT_EQ(team->receive(milliseconds(0))->bytes, "first");
  const auto second = team->receive(milliseconds(0));
  EXPECT_EQ(second->from, 0);
  EXPECT_EQ(second->bytes, std::string("a\0b", 3));
  // Nothing can come any more, so that an hour would be a waste.
  EXPECT_FALSE(team->receive(std::chrono::hours(1)).has_value());
  EXPECT_THROW(team->send(1, "nobody"), Error);
}

TEST(SoloTeam, GathersItsOwnPart) {
  const auto team = make_solo_team();
  EXPECT_THAT(team->gather("part"), ElementsAre("part"));
  std::string bytes = "kept";
  team->broadcast(bytes);
  EXPECT_EQ(bytes, "kept");
}

TEST(SoloTeam, AbortsWithTheCode) {
  EXPECT_EXIT(make_solo_team()->abort(7), ::testing::ExitedWithCode(7), "");
}

TEST(TeamOfAnExecution, IsItsOwnOrOneOfThisProcessAlone) {
  Execution execution;
  EXPECT_TRUE(execution.in_charge());
  EXPECT_EQ(team_of(execution)->size(), 1);
  const auto team = make_solo_team();
  execution.team = team.get();
  EXPECT_TRUE(execution.in_charge());
  EXPECT_EQ(team_of(execution).get(), team.get());
  team->send(0, "it is still there");
  EXPECT_EQ(team_of(execution)->receive(milliseconds(0))->bytes, "it is still there");
}

TEST_F(TeamEnvironment, WithoutALauncherIsSolo) {
  EXPECT_EQ(team_place(), TeamPlace());
  EXPECT_EQ(join_team({})->size(), 1);
}

TEST_F(TeamEnvironment, TellsThePlace) {
  put("OMPI_COMM_WORLD_RANK", "2");
  EXPECT_EQ(team_place(), TeamPlace()) << "half of the variables";
  put("OMPI_COMM_WORLD_SIZE", "5");
  put("OMPI_COMM_WORLD_LOCAL_SIZE", "3");
  EXPECT_EQ(team_place(), (TeamPlace{2, 5, 3}));
  for (const char* wrong : {"5", "-1", "x", "", "2 "}) {
    put("OMPI_COMM_WORLD_RANK", wrong);
    EXPECT_EQ(team_place(), TeamPlace()) << wrong;
  }
  put("PMI_RANK", "1");
  put("PMI_SIZE", "2");
  EXPECT_EQ(team_place(), (TeamPlace{1, 2, 1}));
}

TEST_F(TeamEnvironment, OfOneNeedsNoLibrary) {
  put("OMPI_COMM_WORLD_RANK", "0");
  put("OMPI_COMM_WORLD_SIZE", "1");
  EXPECT_EQ(join_team({})->size(), 1);
}

TEST_F(TeamEnvironment, WithoutTheLibraryIsAUsageError) {
  put("OMPI_COMM_WORLD_RANK", "0");
  put("OMPI_COMM_WORLD_SIZE", "2");
  const std::vector<std::filesystem::path> folders = {"/nowhere"};
  try {
    join_team(folders);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no bermuda_mpi.so in /nowhere"));
  }
}

TEST(ShareOut, CoversEveryItemOnceAndInOrder) {
  for (const std::size_t count : {0U, 1U, 2U, 99U, 1000U}) {
    std::size_t next = 0;
    share_out(
        {}, count, {2, 50},
        [](std::size_t begin, std::size_t end) { return std::string(end - begin, 'x'); },
        [&](std::size_t begin, std::size_t end, const std::string& part) {
          EXPECT_EQ(begin, next);
          EXPECT_EQ(part.size(), end - begin);
          EXPECT_LE(part.size(), 50u);
          next = end;
        });
    EXPECT_EQ(next, count);
  }
}

TEST(ShareOut, StopsWhenAsked) {
  std::atomic<bool> stop{false};
  const Execution execution{1, nullptr, &stop};
  const auto make = [&](std::size_t, std::size_t) {
    stop = true;
    return std::string();
  };
  EXPECT_THROW(share_out(execution, 100, {1, 1}, make, [](auto, auto, auto) {}), Interrupted);
}

}  // namespace
}  // namespace bermuda
