#include "bermuda/core/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <type_traits>

namespace bermuda {
namespace {

TEST(Quoted, EscapesWhatATerminalMustNotSee) {
  EXPECT_EQ(in_quotes("plain"), "'plain'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("a\tb\r\n"), "'a\\tb\\r\\n'");
  EXPECT_EQ(in_quotes(std::string("\0\x1b[31m", 6)), "'\\x00\\x1b[31m'");
  EXPECT_EQ(in_quotes("\x7f\xff"), "'\\x7f\\xff'");
}

TEST(Quoted, CutsLongText) {
  EXPECT_EQ(in_quotes(std::string(40, 'a')), "'" + std::string(40, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(41, 'a')), "'" + std::string(40, 'a') + "...'");
}

TEST(InputError, IsOneLineWithFileAndLine) {
  const InputError error("a.txt", 3, "'x'", "a number");
  EXPECT_STREQ(error.what(), "a.txt:3: found 'x', expected a number");
  EXPECT_EQ(error.file(), "a.txt");
  EXPECT_EQ(error.line(), 3);
  EXPECT_EQ(error.found(), "'x'");
  EXPECT_EQ(error.expected(), "a number");
  EXPECT_STREQ(InputError("a", 0, "b", "c").what(), "a: found b, expected c");
}

TEST(IoError, SaysWhatTheSystemSaid) {
  const IoError error("a.txt", "open", ENOENT);
  EXPECT_STREQ(error.what(), "a.txt: cannot open: No such file or directory");
  EXPECT_EQ(error.path(), "a.txt");
  EXPECT_EQ(error.error_number(), ENOENT);
}

TEST(Error, IsTheBaseOfAll) {
  static_assert(std::is_base_of_v<Error, UsageError>);
  static_assert(std::is_base_of_v<Error, InputError>);
  static_assert(std::is_base_of_v<Error, IoError>);
  static_assert(std::is_base_of_v<Error, Interrupted>);
  EXPECT_STREQ(Interrupted().what(), "interrupted");
}

}  // namespace
}  // namespace bermuda
