#include "curves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<EpochRecord> epochs(int count) {
  std::vector<EpochRecord> records;
  for (int i = 1; i <= count; ++i) {
    const double loss = 1.0 / i;
    records.push_back({i, i > 5 ? 0.001 : 0.01, loss, 1 - loss / 2, loss + 0.1,
                       i == 4 ? 0.95 : 0.9 - loss / 2, 1.0});
  }
  return records;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

TEST(Curves, ShowBothPanelsWithBestEpochAndDrop) {
  const std::string svg = learning_curves_svg(epochs(12), "gcn on <A & B>");
  EXPECT_THAT(svg, HasSubstr("<title id=\"title\">gcn on &lt;A &amp; B&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("best epoch 4: validation accuracy 95.0 %"));
  EXPECT_THAT(svg, HasSubstr("Two line charts over 12 epochs"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_EQ(count_of(svg, "<path class=\"line train\""), 3);  // legend and two panels
  EXPECT_EQ(count_of(svg, "<path class=\"line validation\""), 3);
  EXPECT_EQ(count_of(svg, "<line class=\"drop\""), 2);
  EXPECT_EQ(count_of(svg, "learning rate 0.001 from epoch 6"), 2);
  EXPECT_EQ(count_of(svg, "<circle class=\"best\""), 3);
}

TEST(Curves, TheMethodMayNameTheBestEpoch) {
  EXPECT_THAT(learning_curves_svg(epochs(12), "x", 7), HasSubstr("best epoch 7: validation"));
}

TEST(Curves, ASlowDecayIsNoDrop) {
  std::vector<EpochRecord> records = epochs(5);
  for (EpochRecord& record : records) record.learning_rate = 0.01 * std::pow(0.9, record.epoch);
  EXPECT_THAT(learning_curves_svg(records, "x"), Not(HasSubstr("<line class=\"drop\"")));
}

TEST(Curves, StayInsideThePicture) {
  for (const int count : {1, 2, 3, 50, 1000}) {
    const std::string svg = learning_curves_svg(epochs(count), "x");
    const std::regex point(R"([ML](-?[0-9.]+) (-?[0-9.]+))");
    int points = 0;
    for (std::sregex_iterator i(svg.begin(), svg.end(), point), end; i != end; ++i) {
      EXPECT_GE(std::stod((*i)[1]), 50);
      EXPECT_LE(std::stod((*i)[1]), 790);
      EXPECT_GE(std::stod((*i)[2]), 40);
      EXPECT_LE(std::stod((*i)[2]), 300);
      ++points;
    }
    EXPECT_GE(points, 4 * count);
  }
}

TEST(Curves, FiguresThatAreNotFiniteLeaveAGap) {
  std::vector<EpochRecord> records = epochs(6);
  records[2].train_loss = std::numeric_limits<double>::quiet_NaN();
  records[3].validation_loss = std::numeric_limits<double>::infinity();
  const std::string svg = learning_curves_svg(records, "x");
  EXPECT_EQ(count_of(svg, "nan"), 0);
  EXPECT_EQ(count_of(svg, "inf"), 0);
  EXPECT_TRUE(std::regex_search(svg, std::regex("line train\" d=\"M[^\"]*M")));
}

TEST(Curves, NoEpochsYet) {
  const std::string svg = learning_curves_svg({}, "x");
  EXPECT_THAT(svg, HasSubstr("No epochs yet."));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace bermuda
