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

TEST(Printable, KeepsWhatCanBeRead) {
  for (const char* text :
       {"", "plain", "\u00fcber \u2264 5 \u00b1 1", "\u6f22\u5b57", "\U0001f600"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("\x1b[2J\x07\x7f"), "\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable_lines("a\nb\tc\r"), "a\nb\tc\\r");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");  // an escape sequence in one character
}

TEST(Printable, EscapesWhatTurnsOrHidesText) {
  EXPECT_EQ(printable("a\u202eb\u2066c\u200b\ufeff\u2028"),
            "a\\u202eb\\u2066c\\u200b\\ufeff\\u2028");
  EXPECT_EQ(printable("\U000e0041"), "\\ue0041");
}

TEST(Printable, EscapesBytesThatAreNoText) {
  // Alone, cut, longer than needed, a surrogate, beyond the last character.
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("a\xc3"), "a\\xc3");
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xff"), "\\xff");
}

}  // namespace
}  // namespace bermuda
