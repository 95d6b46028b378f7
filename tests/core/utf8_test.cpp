#include "bermuda/core/utf8.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t kNone = std::string_view::npos;

std::string spelled(char32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCharacterIsKnownAndNoHalfOfASurrogate) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    ASSERT_EQ(first_not_utf8(spelled(code)), surrogate ? 0 : kNone) << static_cast<long>(code);
  }
  EXPECT_EQ(first_not_utf8(spelled(0x110000)), 0U);
}

TEST(Utf8, NothingElseOfTwoBytesIsTaken) {
  for (int first = 0x80; first < 0x100; ++first) {
    for (int second = 0; second < 0x100; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      const bool good = first >= 0xc2 && first < 0xe0 && second >= 0x80 && second < 0xc0;
      ASSERT_EQ(first_not_utf8(text), good ? kNone : 0) << first << " " << second;
    }
  }
}

TEST(Utf8, SaysWhere) {
  EXPECT_EQ(first_not_utf8("ab\xff"), 2U);
  EXPECT_EQ(first_not_utf8("\xc3\xa9\xe9t\xe9"), 2U);
  EXPECT_EQ(first_not_utf8("\xe2\x82"), 0U);          // cut
  EXPECT_EQ(first_not_utf8("\xe0\x80\xaf"), 0U);      // a slash, longer than need be
  EXPECT_EQ(first_not_utf8("\xf0\x82\x82\xac"), 0U);  // so is this
}

TEST(Names, HoldNoControlCharactersAndNoLineEnds) {
  EXPECT_EQ(first_unfit_for_names("Größe \xe2\x82\xac <b>|\\{}"), kNone);
  EXPECT_EQ(first_unfit_for_names(""), kNone);
  for (const char32_t code :
       std::initializer_list<char32_t>{0x00, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9f, 0x2028,
                                       0x2029, 0xfffe, 0xffff, 0x1fffe}) {
    EXPECT_EQ(first_unfit_for_names("x" + spelled(code)), 1U) << static_cast<long>(code);
  }
  for (const char32_t code :
       std::initializer_list<char32_t>{0x20, 0x7e, 0xa0, 0x2027, 0x202a, 0xfffd, 0x10fffd}) {
    EXPECT_EQ(first_unfit_for_names("x" + spelled(code)), kNone) << static_cast<long>(code);
  }
}

TEST(Names, TheByteIsNamed) {
  EXPECT_EQ(byte_in_words("ab\xff", 2), "byte 0xff, number 3 of 'ab\\xff'");
  EXPECT_EQ(byte_in_words("a\0b"s, 1), "byte 0x00, number 2 of 'a\\x00b'");
}

TEST(Names, PathsAreToo) {
  EXPECT_NO_THROW(check_path_text("/some/where/größe"));
  EXPECT_THAT([] { check_path_text("a/b\xff"); },
              ThrowsMessage<UsageError>(HasSubstr("byte 0xff, number 4 of 'a/b\\xff'")));
  EXPECT_THAT([] { check_path_text("a\nb"); }, ThrowsMessage<UsageError>(HasSubstr("byte 0x0a")));
}

}  // namespace
}  // namespace bermuda
