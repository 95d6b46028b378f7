#include "bermuda/core/checksum.hpp"

#include <gtest/gtest.h>

namespace bermuda {
namespace {

// FIPS 180-4 and the NIST example vectors.
TEST(Sha256, GivesTheKnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfPartsIsThatOfTheWhole) {
  Sha256 sum;
  for (const char* part : {"a", "", "bc"}) sum.add(part);
  EXPECT_EQ(sum.digits(), sha256("abc"));
}

TEST(Sha256, ReadsBeyondZeroBytes) {
  EXPECT_NE(sha256(std::string("a\0b", 3)), sha256(std::string("a\0c", 3)));
}

}  // namespace
}  // namespace bermuda
