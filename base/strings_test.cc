#include "base/strings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet {
namespace {

using Strings = std::vector<std::string>;

TEST(StringsTest, StrCatSaysStringsAndNumbers) {
  EXPECT_EQ(StrCat(), "");
  EXPECT_EQ(StrCat("a", std::string("b"), std::string_view("c\0d", 3)),
            std::string("abc\0d", 5));
  EXPECT_EQ(StrCat(0, " ", -1, " ", 7u, " ", true), "0 -1 7 1");
  EXPECT_EQ(StrCat(uint8_t{65}, int8_t{-65}, uint16_t{65535}), "65-6565535");
  EXPECT_EQ(StrCat(std::numeric_limits<int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(StrCat(std::numeric_limits<uint64_t>::max()),
            "18446744073709551615");
}

TEST(StringsTest, StrCatSaysSixDigitsOfAFraction) {
  EXPECT_EQ(StrCat(1.5, " ", 2.0, " ", 1.0 / 3), "1.5 2 0.333333");
  EXPECT_EQ(StrCat(-1e9, " ", -1.23456789e-300), "-1e+09 -1.23457e-300");
}

TEST(StringsTest, StrAppendLeavesWhatWasThere) {
  std::string text = "x";
  StrAppend(&text, "=", 1);
  StrAppend(&text, ",y=", 2);
  EXPECT_EQ(text, "x=1,y=2");
}

TEST(StringsTest, StrJoinPutsTheSeparatorBetween) {
  EXPECT_EQ(StrJoin(Strings{}, ", "), "");
  EXPECT_EQ(StrJoin(Strings{"a"}, ", "), "a");
  EXPECT_EQ(StrJoin(Strings{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(StrJoin(std::vector<int>{1, 2, 3}, ""), "123");
}

TEST(StringsTest, StrSplitUndoesStrJoin) {
  EXPECT_EQ(StrSplit("", ','), Strings{""});
  EXPECT_EQ(StrSplit("a", ','), Strings{"a"});
  EXPECT_EQ(StrSplit(",a,,bc,", ','), (Strings{"", "a", "", "bc", ""}));
}

TEST(StringsTest, StrContainsFindsAPart) {
  EXPECT_TRUE(StrContains("abc", "bc"));
  EXPECT_FALSE(StrContains("abc", "cb"));
  EXPECT_TRUE(StrContains("a=", '='));
  EXPECT_FALSE(StrContains("a", '='));
}

TEST(StringsTest, OnlyLettersAndDigitsOfAsciiAreAlphanumeric) {
  std::string found;
  for (int c = 0; c < 256; ++c) {
    if (IsAsciiAlphanumeric(static_cast<char>(c))) {
      found += static_cast<char>(c);
    }
  }
  EXPECT_EQ(found,
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
}

TEST(StringsTest, HexadecimalIsReadBack) {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  const std::string text = BytesToHexString(bytes);
  EXPECT_EQ(text.size(), 512);
  EXPECT_EQ(text.substr(0, 6), "000102");
  EXPECT_EQ(text.substr(506), "fdfeff");
  EXPECT_EQ(HexStringToBytes(text), bytes);
  EXPECT_EQ(HexStringToBytes("FDfe"), "\xfd\xfe");
  EXPECT_EQ(HexStringToBytes(""), "");
}

TEST(StringsTest, WhatIsNotHexadecimalIsRefused) {
  for (const char* text :
       {"0", "0g", "g0", "-1", "+1", " 1", "1 ", "0x", "000"}) {
    EXPECT_EQ(HexStringToBytes(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gasnet
