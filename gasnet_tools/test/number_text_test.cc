#include "gasnet_tools/src/number_text.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <random>

#include "gtest/gtest.h"

namespace gasnet::tools {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

void ExpectRoundTrip(int64_t value) {
  EXPECT_EQ(ParseNumber(FormatNumber(value, false), 0), value);
  for (const uint64_t multiplier : {1, 1000, 1 << 20}) {
    EXPECT_EQ(ParseNumber(FormatNumber(value, true), multiplier), value);
  }
}

TEST(NumberTextTest, RandomValuesRoundTripExactly) {
  std::mt19937_64 random(20250101);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random();
    const int64_t value = static_cast<int64_t>(bits) >> (random() % 64);
    ExpectRoundTrip(value);
    // Tests multiples of units.
    const int zeros = 10 * (random() % 6);
    ExpectRoundTrip(static_cast<int64_t>((bits >> (zeros + 4)) << zeros));
  }
}

TEST(NumberTextTest, LimitsRoundTripExactly) {
  for (const int64_t value : {kMax, kMin, kMax - 1, kMin + 1, int64_t{0}}) {
    ExpectRoundTrip(value);
  }
}

TEST(NumberTextTest, MemorySizesHaveTheGreatestUnitThatDividesThem) {
  EXPECT_EQ(FormatNumber(0, true), "0 B");
  EXPECT_EQ(FormatNumber(1000, true), "1000 B");
  EXPECT_EQ(FormatNumber(512 << 10, true), "512 KB");
  EXPECT_EQ(FormatNumber(1 << 20, true), "1 MB");
  EXPECT_EQ(FormatNumber(int64_t{3} << 60, true), "3 EB");
  EXPECT_EQ(FormatNumber(-1024, true), "-1 KB");
  EXPECT_EQ(FormatNumber(1024, false), "1024");
}

TEST(NumberTextTest, AcceptsUnitsFractionsSignsAndBlanks) {
  EXPECT_EQ(ParseNumber("16k", 1), 16 << 10);
  EXPECT_EQ(ParseNumber("16KiB", 1), 16 << 10);
  EXPECT_EQ(ParseNumber(" +2 mb ", 1), 2 << 20);
  EXPECT_EQ(ParseNumber("0.5G", 1), 512 << 20);
  EXPECT_EQ(ParseNumber("1.0000000000000000000001K", 1), 1024);
  EXPECT_EQ(ParseNumber("1.5", 1024), 1536);
  EXPECT_EQ(ParseNumber("7 B", 1024), 7);
  EXPECT_EQ(ParseNumber("0x10", 0), 16);
  EXPECT_EQ(ParseNumber("-0x10", 0), -16);
  EXPECT_EQ(ParseNumber("-9223372036854775808", 0), kMin);
}

TEST(NumberTextTest, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", " ", "-", "+-1", "one", "1x", "0x", "1 2", "9223372036854775808",
        "1K", "1.5", "--1", "99999999999999999999"}) {
    EXPECT_EQ(ParseNumber(text, 0), std::nullopt) << text;
  }
  for (const char* text : {"", "K", "1.", "1.K", ".5K", "1BB", "1KK", "1KiBs",
                           "8E", "1QB", "99999999999999999999E"}) {
    EXPECT_EQ(ParseNumber(text, 1), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gasnet::tools
