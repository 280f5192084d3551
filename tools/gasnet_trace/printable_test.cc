// Tests of text and numbers for output.
#include "tools/gasnet_trace/printable.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace gasnet::trace {
namespace {

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("a \"b\" \\ ~"), "a \"b\" \\ ~");
  EXPECT_EQ(Printable("\u00e9 \u20ac \U0001f600"), "\u00e9 \u20ac \U0001f600");
}

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(Printable("a\x1b[1mb\n\t\x7f"), "a\\x1b[1mb\\x0a\\x09\\x7f");
  EXPECT_EQ(Printable(std::string(1, '\0')), "\\x00");
  // U+009B is a control character beyond ASCII. Terminals act on it.
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(Printable("\xff"), "\\xff");
  EXPECT_EQ(Printable("\x80z"), "\\x80z");
  EXPECT_EQ(Printable("\xc3"), "\\xc3") << "cut";
  EXPECT_EQ(Printable("\xc3z"), "\\xc3z");
  EXPECT_EQ(Printable("\xe2\x82"), "\\xe2\\x82") << "cut";
  EXPECT_EQ(Printable("\xc1\x81"), "\\xc1\\x81") << "too long a form";
  EXPECT_EQ(Printable("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf") << "the same";
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond";
}

TEST(JsonString, SpecialCharactersAreEscaped) {
  EXPECT_EQ(JsonString("plain \u20ac"), "\"plain \u20ac\"");
  EXPECT_EQ(JsonString("\"\\\n\x7f"), "\"\\u0022\\u005c\\u000a\\u007f\"");
  EXPECT_EQ(JsonString("a\xff z"), "\"a\\ufffd z\"");
}

TEST(Grouped, DigitsAreInGroupsOfThree) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1204331), "1,204,331");
  EXPECT_EQ(Grouped(~uint64_t{0}), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace gasnet::trace
