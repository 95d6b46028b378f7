#include "packed.hpp"

#include <gtest/gtest.h>

#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kMost = 100'000;

TEST(PackedText, ComesBack) {
  std::string all;
  for (int i = 0; i < 70'000; ++i) all += static_cast<char>(i * i >> (i % 5));
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 100U, 69'999U, 70'000U}) {
    const std::string text = all.substr(0, size);
    const std::string packed = pack_text(text);
    EXPECT_EQ(packed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789+/="),
              packed.npos);
    EXPECT_EQ(unpack_text(packed, kMost), text);
    EXPECT_EQ(unpack_text(packed, size), text);
    if (size > 0) {
      EXPECT_THROW(unpack_text(packed, size - 1), JsonError);
    }
  }
}

TEST(PackedText, IsBase64OfZlib) {
  // Python: base64.b64encode(zlib.compress(b"bermuda", 9))
  EXPECT_EQ(unpack_text("eNpLSi3KLU1JBAALiQLh", kMost), "bermuda");
}

TEST(PackedText, WhatIsRefused) {
  std::string text = "bermuda";
  while (pack_text(text).find('=') == std::string::npos) text += '!';
  const std::string good = pack_text(text);
  for (const std::string& wrong :
       {std::string(), std::string("="), std::string("===="), std::string("A"), good + "A",
        good + good, good.substr(0, good.size() - 1), good.substr(0, good.size() - 4),
        good.substr(4), " " + good, "?" + good.substr(1), std::string("AAAA")}) {
    EXPECT_THROW(unpack_text(wrong, kMost), JsonError) << wrong;
  }
  // Letters whose unused bits are not 0 would be a second way to write the same.
  std::string other = good;
  char& last = other[other.find('=') - 1];
  last = static_cast<char>(last + 1);
  EXPECT_THROW(unpack_text(other, kMost), JsonError) << other;
}

TEST(PackedText, NothingLargeIsMade) {
  const std::string bomb = pack_text(std::string(10'000'000, ' '));
  EXPECT_LT(bomb.size(), 20'000U);
  EXPECT_THROW(unpack_text(bomb, 1'000'000), JsonError);
}

}  // namespace
}  // namespace bermuda
