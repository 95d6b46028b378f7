#include "address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

TEST(Address, NamesAndPasswordsAreLeftOut) {
  EXPECT_EQ(without_userinfo("https://host/tu/T.zip"), "https://host/tu/T.zip");
  EXPECT_EQ(without_userinfo("https://me:secret@host:80/tu"), "https://host:80/tu");
  EXPECT_EQ(without_userinfo("http://me@[::1]:80/tu"), "http://[::1]:80/tu");
  EXPECT_EQ(without_userinfo("http://me:a@b@host"), "http://host");
  EXPECT_EQ(without_userinfo("http://host/@mirror/tu?x@y"), "http://host/@mirror/tu?x@y");
}

TEST(Address, ThoseThatCanBe) {
  for (const char* good :
       {"http://host", "https://me:secret@host:8080/tu/", "http://[::1]:80", "http://[::1]/tu",
        "http://host/@mirror", "http://me:a%40b%2Fc@host/tu"}) {
    EXPECT_NO_THROW(check_source(good)) << good;
  }
}

TEST(Address, ThoseThatCannotBeShowNoPassword) {
  for (const char* bad : {"ftp://me:secret@host", "http://me:secret@host/ x",
                          "http://me:secret/more@host/tu", "http://me:secret@more@host",
                          "me:secret@host", "http://me:secret@", "http://", "http://host:port"}) {
    try {
      check_source(bad);
      ADD_FAILURE() << bad;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("--from: found "));
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("secret"))) << bad;
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("more"))) << bad;
    }
  }
}

}  // namespace
}  // namespace bermuda
