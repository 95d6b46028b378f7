#include "bermuda/core/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace bermuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  LineReader reader(text);
  EXPECT_EQ(reader.number(), 0);
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.number(), static_cast<long>(lines.size()));
  }
  return lines;
}

TEST(LineReader, KnowsAllLineEnds) {
  EXPECT_THAT(lines_of("a\nb\r\nc\r\r\nd"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(lines_of("a\n"), ElementsAre("a"));
  EXPECT_THAT(lines_of("a\r"), ElementsAre("a"));
}

TEST(LineReader, KeepsEmptyLines) {
  EXPECT_THAT(lines_of("\n\na\n\n"), ElementsAre("", "", "a", ""));
  EXPECT_THAT(lines_of(""), IsEmpty());
}

TEST(LineReader, KeepsBlanksAndCarriageReturnsInside) {
  EXPECT_THAT(lines_of(" a\tb \nc\rd\n"), ElementsAre(" a\tb ", "c\rd"));
}

TEST(Trimmed, TakesAwayBothEnds) {
  EXPECT_EQ(trimmed(" \t a b \r"), "a b");
  EXPECT_EQ(trimmed("   "), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(SplitFields, GivesOneFieldMoreThanSeparators) {
  EXPECT_THAT(split_fields("a,b,c", ','), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_fields(",a,,", ','), ElementsAre("", "a", "", ""));
  EXPECT_THAT(split_fields("", ','), ElementsAre(""));
}

TEST(ParseNumber, TakesTheWholeText) {
  EXPECT_EQ(parse_number<int>("42"), 42);
  EXPECT_EQ(parse_number<int>("-42"), -42);
  EXPECT_EQ(parse_number<int>("+42"), 42);
  EXPECT_EQ(parse_number<double>("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number<std::uint8_t>("255"), 255);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text :
       {"", " 1", "1 ", "1x", "x", "--1", "+-1", "++1", "+", "-", "1.0", "0x1"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number<int>("99999999999"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint8_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1e999"), std::nullopt);
}

}  // namespace
}  // namespace bermuda
