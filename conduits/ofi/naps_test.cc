// Tests the length of naps in virtual time. A thread looks for arrivals between
// naps.
#include "conduits/ofi/naps.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/clock.h"

namespace gasnet::ofi {
namespace {

class NapsTest : public ::testing::Test {
 protected:
  // Simulates `nanos` nanoseconds of naps, with one look between two naps. A
  // look takes `look` nanoseconds. Returns the length of the last nap.
  int64_t IdleFor(int64_t nanos, int64_t look) {
    int64_t nap = 0;
    for (const int64_t end = now_ + nanos; now_ < end;) {
      nap = naps_.Next(now_, spent_, receipts_);
      now_ += nap + look;
      spent_ += look;
    }
    return nap;
  }

  Naps naps_;
  int64_t now_ = 1'000 * kNanosPerSecond;
  int64_t spent_ = 7 * kNanosPerSecond;
  uint32_t receipts_ = 3;
};

TEST_F(NapsTest, GrowWithTheTimeInWhichNothingComes) {
  EXPECT_EQ(naps_.Next(now_, spent_, receipts_), kMinNap);
  now_ += 16 * kNanosPerMilli;
  spent_ += kNanosPerMilli;
  EXPECT_EQ(naps_.Next(now_, spent_, receipts_), kNanosPerMilli);
}

TEST_F(NapsTest, AreShortAgainWhenSomethingHasCome) {
  IdleFor(kNanosPerSecond, 50'000);
  ++receipts_;
  EXPECT_EQ(naps_.Next(now_, spent_, receipts_), kMinNap);
}

// Naps of an idle rank are limited, too. The rank may be the target of puts
// that it does not notice.
TEST_F(NapsTest, AreNoLongerThanLooksAreDear) {
  EXPECT_EQ(IdleFor(kNanosPerSecond, 5'000), kNapsOfLook * 5'000);
  EXPECT_EQ(IdleFor(kNanosPerSecond, 40'000), kNapsOfLook * 40'000);
}

TEST_F(NapsTest, HaveALongestWhateverALookCosts) {
  EXPECT_EQ(IdleFor(kNanosPerSecond, 3 * kNanosPerMilli), kMaxNap);
}

// Another thread may have used less processor time than the previous thread.
// The time then seems to go back.
TEST_F(NapsTest, AreInTheirBoundsForAnotherThread) {
  IdleFor(kNanosPerSecond, 50'000);
  spent_ = 0;
  EXPECT_EQ(naps_.Next(now_, spent_, receipts_), kMinNap);
}

}  // namespace
}  // namespace gasnet::ofi
