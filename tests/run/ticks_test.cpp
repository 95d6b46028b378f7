#include "ticks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bermuda {
namespace {

std::vector<std::string> texts(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const double value : ticks.values) out.push_back(ticks.text(value));
  return out;
}

TEST(Ticks, AreRoundAndCoverTheFigures) {
  EXPECT_THAT(texts(round_ticks(0.0, 1.0)),
              ::testing::ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts(round_ticks(0.6612, 0.6949)),
              ::testing::ElementsAre("0.66", "0.67", "0.68", "0.69", "0.70"));
  EXPECT_THAT(texts(round_ticks(43, 100)), ::testing::ElementsAre("40", "60", "80", "100"));
}

TEST(Ticks, CoverWhateverComes) {
  for (const double low : {0.0, 1e-9, 0.3, 7.0, 1e6}) {
    for (const double span : {0.0, 1e-6, 0.1, 3.0, 1e9}) {
      const Ticks ticks = round_ticks(low, low + span);
      ASSERT_GE(ticks.values.size(), 2U) << low << " " << span;
      EXPECT_LE(ticks.values.size(), 8U) << low << " " << span;
      EXPECT_LE(ticks.low(), low * (1 + 1e-6)) << low << " " << span;
      EXPECT_GE(ticks.high(), (low + span) * (1 - 1e-6)) << low << " " << span;
    }
  }
}

TEST(EpochTicks, StartAtOne) {
  EXPECT_THAT(epoch_ticks(1), ::testing::ElementsAre(1));
  EXPECT_THAT(epoch_ticks(4), ::testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(epoch_ticks(200), ::testing::ElementsAre(1, 50, 100, 150, 200));
  EXPECT_THAT(epoch_ticks(137), ::testing::ElementsAre(1, 50, 100));
}

}  // namespace
}  // namespace bermuda
