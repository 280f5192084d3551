#include "base/units.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

TEST(UnitsTest, CountsAreExactAsLongAsTheyAreShort) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(99'999), "99999");
  EXPECT_EQ(CountText(100'000), "100 k");
  EXPECT_EQ(CountText(999'499), "999 k");
  EXPECT_EQ(CountText(999'500), "1.0 M");
  EXPECT_EQ(CountText(1'234'567), "1.2 M");
  EXPECT_EQ(CountText(kMost), "18.4 E");
}

TEST(UnitsTest, BytesHaveBinaryPrefixes) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(1023), "1023 B");
  EXPECT_EQ(BytesText(1024), "1.0 KiB");
  EXPECT_EQ(BytesText(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(BytesText(uint64_t{5} << 28), "1.2 GiB");
  EXPECT_EQ(BytesText(uint64_t{100} << 20), "100 MiB");
  EXPECT_EQ(BytesText(kMost), "16.0 EiB");
}

TEST(UnitsTest, TimesGoUpToSeconds) {
  EXPECT_EQ(TimeText(0), "0 ns");
  EXPECT_EQ(TimeText(999), "999 ns");
  EXPECT_EQ(TimeText(3'440), "3.4 us");
  EXPECT_EQ(TimeText(99'940), "99.9 us");
  EXPECT_EQ(TimeText(99'960), "100 us");
  EXPECT_EQ(TimeText(12'000'000), "12.0 ms");
  EXPECT_EQ(TimeText(90'000'000'000), "90.0 s");
  EXPECT_EQ(TimeText(7'200'000'000'000), "7200 s");
}

TEST(UnitsTest, FineTimesHaveFourDigits) {
  EXPECT_EQ(FineTimeText(0), "0 ns");
  EXPECT_EQ(FineTimeText(999), "999 ns");
  EXPECT_EQ(FineTimeText(1000), "1.000 us");
  EXPECT_EQ(FineTimeText(9'999.6), "10.00 us");
  EXPECT_EQ(FineTimeText(12'345), "12.35 us");
  EXPECT_EQ(FineTimeText(123'456), "123.5 us");
  EXPECT_EQ(FineTimeText(999'950), "1.000 ms");
  EXPECT_EQ(FineTimeText(1.5e9), "1.500 s");
  EXPECT_EQ(FineTimeText(12'345e9), "12345.0 s");
}

TEST(UnitsTest, SecondsHaveNoUnit) {
  EXPECT_EQ(SecondsText(0, 3), "0.000");
  EXPECT_EQ(SecondsText(1'234'567'890, 3), "1.235");
  EXPECT_EQ(SecondsText(1'234'567'890, 6), "1.234568");
}

TEST(UnitsTest, SharesOfNothingAreNotKnown) {
  EXPECT_EQ(PercentText(1, 8), "12.5 %");
  EXPECT_EQ(PercentText(3, 2), "150.0 %");
  EXPECT_EQ(PercentText(0, 0), "-");
  EXPECT_EQ(PercentText(5, 0), "-");
  EXPECT_EQ(PercentText(0.5), "50.0 %");
}

}  // namespace
}  // namespace gasnet
