#include "core/segment_limit.h"

#include <stdlib.h>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kGiB = uint64_t{1} << 30;

uint64_t PerRank(const char* text, uint64_t free_bytes, uint32_t ranks) {
  return SegmentLimit::Parse(text).value().PerRank(free_bytes, ranks, kPage);
}

TEST(SegmentLimit, FractionOfTheHostIsShared) {
  EXPECT_EQ(PerRank("0.5", 8 * kGiB, 4), kGiB);
  EXPECT_EQ(PerRank("0.5/H", 8 * kGiB, 4), kGiB);
}

TEST(SegmentLimit, SizePerHostIsShared) {
  EXPECT_EQ(PerRank("2G", 8 * kGiB, 4), kGiB / 2);
}

TEST(SegmentLimit, SizePerRankIsNot) {
  EXPECT_EQ(PerRank("512M/P", 8 * kGiB, 4), kGiB / 2);
}

TEST(SegmentLimit, NeverMoreThanTheFairShare) {
  EXPECT_EQ(PerRank("64G/P", 8 * kGiB, 4), 2 * kGiB);
  EXPECT_EQ(PerRank("1/P", 8 * kGiB, 4), 2 * kGiB);
}

TEST(SegmentLimit, IsAPageMultiple) {
  EXPECT_EQ(PerRank("10000/P", kGiB, 1), 2 * kPage);
}

TEST(SegmentLimit, MayBeNothing) { EXPECT_EQ(PerRank("0", kGiB, 1), 0u); }

TEST(SegmentLimit, RefusesWhatItCannotRead) {
  for (const char* bad :
       {"", "x", "1G/Q", "-1", "0.5/", "/H", "1G/P/H", "100", "4095"}) {
    EXPECT_FALSE(SegmentLimit::Parse(bad)) << bad;
  }
}

TEST(SegmentLimit, TheDefaultIsMostOfTheHost) {
  unsetenv("GASNET_MAX_SEGSIZE");
  const SegmentLimit limit = SegmentLimitFromEnvironment();
  EXPECT_EQ(limit.fraction, 0.85);
  EXPECT_TRUE(limit.per_host);
}

}  // namespace
}  // namespace gasnet
