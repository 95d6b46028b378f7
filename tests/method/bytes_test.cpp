#include "bermuda/method/bytes.hpp"

#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {
namespace {

TEST(Bytes, ComeBackAsTheyWere) {
  ByteWriter out;
  out.number(-7);
  out.number(2.5);
  out.text("triangle");
  out.array(std::vector<double>{1, 2, 3});
  out.array(std::vector<int>{});
  ByteReader in(out.bytes());
  EXPECT_EQ(in.number<int>(), -7);
  EXPECT_EQ(in.number<double>(), 2.5);
  EXPECT_EQ(in.text(), "triangle");
  EXPECT_EQ(in.array<double>(), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(in.array<int>().empty());
  EXPECT_TRUE(in.at_end());
}

TEST(Bytes, EveryCutIsNoticed) {
  ByteWriter out;
  out.text("abc");
  out.array(std::vector<int>{1, 2});
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader in(std::string_view(out.bytes()).substr(0, length));
    EXPECT_THROW(
        {
          in.text();
          in.array<int>();
        },
        BytesError)
        << length;
  }
}

TEST(Bytes, AHugeLengthDoesNotAllocate) {
  ByteWriter out;
  out.number(~std::uint64_t{0});
  ByteReader in(out.bytes());
  EXPECT_THROW(in.array<double>(), BytesError);
}

TEST(Bytes, RangesAreChecked) {
  ByteWriter out;
  out.number(5);
  ByteReader in(out.bytes());
  EXPECT_THROW(in.number_in(0, 4, "rounds"), BytesError);
}

TEST(MethodRegistry, KnowsNamesOnce) {
  MethodRegistry registry;
  registry.add({"one", "first", nullptr});
  EXPECT_THROW(registry.add({"one", "again", nullptr}), UsageError);
  EXPECT_EQ(registry.get("one").summary, "first");
  try {
    registry.get("two");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("there are: one"), std::string::npos);
  }
}

}  // namespace
}  // namespace bermuda
