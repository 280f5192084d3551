#include "base/env_parse.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

TEST(EnvParseTest, Int) {
  EXPECT_EQ(ParseInt("0"), 0);
  EXPECT_EQ(ParseInt("-12"), -12);
  EXPECT_EQ(ParseInt("+12"), 12);
  EXPECT_EQ(ParseInt("010"), 10);
  EXPECT_EQ(ParseInt("0x1F"), 31);
  EXPECT_EQ(ParseInt("9223372036854775807"),
            std::numeric_limits<int64_t>::max());
  for (const char* bad : {"", " ", "1 ", " 1", "1.5", "12x", "x", "+", "-",
                          "0x", "0x-1", "+-1", "9223372036854775808"}) {
    EXPECT_EQ(ParseInt(bad), std::nullopt) << "'" << bad << "'";
  }
}

TEST(EnvParseTest, Double) {
  EXPECT_EQ(ParseDouble("0.25"), 0.25);
  EXPECT_EQ(ParseDouble("+3"), 3.0);
  EXPECT_EQ(ParseDouble("1e-3"), 0.001);
  for (const char* bad : {"", "nan", "inf", "1,5", "1.5s", "1e999"}) {
    EXPECT_EQ(ParseDouble(bad), std::nullopt) << "'" << bad << "'";
  }
}

TEST(EnvParseTest, Bool) {
  for (const char* yes : {"1", "YES", "y", "True", "on"}) {
    EXPECT_EQ(ParseBool(yes), true) << yes;
  }
  for (const char* no : {"0", "no", "N", "FALSE", "Off"}) {
    EXPECT_EQ(ParseBool(no), false) << no;
  }
  for (const char* bad : {"", "2", "yess", " 1", "-1"}) {
    EXPECT_EQ(ParseBool(bad), std::nullopt) << "'" << bad << "'";
  }
}

TEST(EnvParseTest, Size) {
  EXPECT_EQ(ParseSize("0"), 0u);
  EXPECT_EQ(ParseSize("18446744073709551615"),
            std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(ParseSize("7B"), 7u);
  EXPECT_EQ(ParseSize("4k"), 4096u);
  EXPECT_EQ(ParseSize("4KB"), 4096u);
  EXPECT_EQ(ParseSize("1.5M"), 3u << 19);
  EXPECT_EQ(ParseSize("2GiB"), uint64_t{2} << 30);
  EXPECT_EQ(ParseSize("1T"), uint64_t{1} << 40);
  for (const char* bad :
       {"", "K", "-1", "-1K", "1 K", "1KK", "1P", "1.2.3M", "1e3K", "0x10",
        "16777216T", "99999999999999999999"}) {
    EXPECT_EQ(ParseSize(bad), std::nullopt) << "'" << bad << "'";
  }
}

TEST(EnvParseTest, HexBytes) {
  EXPECT_EQ(ParseHexBytes(""), "");
  EXPECT_EQ(ParseHexBytes("00ff7F"), std::string("\0\xff\x7f", 3));
  for (const char* bad : {"0", "012", "0g", "+1", "-1", " 1", "1 ", "0x"}) {
    EXPECT_EQ(ParseHexBytes(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace gasnet
