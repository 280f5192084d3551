#include "portals/datagram/aside.h"

#include <algorithm>
#include <cstdint>

#include "gtest/gtest.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// Returns the observation that another thread polled without pause for `nanos`.
Aside::Seen Polling(int64_t nanos) {
  return {.polls = static_cast<uint32_t>(nanos / kDensePolls) + 1,
          .ran = nanos};
}

class AsideTest : public testing::Test {
 protected:
  // Polls until naps have their full length. Returns that length.
  int64_t PollOn() {
    int64_t longest = aside_.Begin();
    int64_t nap = longest;
    for (int naps = 0; naps < 1000; ++naps) {
      nap = aside_.Next(Polling(nap));
      longest = std::max(longest, nap);
    }
    return longest;
  }
  Aside aside_;
};

TEST_F(AsideTest, BeginsWithTheShortestNap) {
  EXPECT_EQ(aside_.Begin(), kAside);
}

TEST_F(AsideTest, NapsGrowWhileOthersDoNothingButPoll) {
  EXPECT_EQ(PollOn(), kMaxAside);
}

TEST_F(AsideTest, AShortNapFollowsALongOne) {
  PollOn();
  int64_t nap = aside_.Next(Polling(kAside));
  while (nap == kAside) nap = aside_.Next(Polling(nap));
  EXPECT_EQ(aside_.Next(Polling(nap)), kAside);
}

TEST_F(AsideTest, EndsWhenTheyCompute) {
  PollOn();
  EXPECT_EQ(aside_.Next({.polls = 0, .ran = kAside}), 0);
  EXPECT_EQ(aside_.Begin(), kAside) << "it begins anew";
}

TEST_F(AsideTest, NapsStayShortForOneThatComputesAndPolls) {
  int64_t nap = aside_.Begin();
  for (int naps = 0; naps < 1000; ++naps) {
    nap = aside_.Next({.polls = 1, .ran = 100 * kDensePolls});
    ASSERT_EQ(nap, kAside);
  }
}

// On a host with more ranks than processors, the poller may have no processor.
TEST_F(AsideTest, WaitsForOneThatHasNoProcessor) {
  aside_.Begin();
  EXPECT_GT(aside_.Next({}), 0);
  EXPECT_GT(aside_.Next({.polls = 1, .ran = kDensePolls}), 0);
  int64_t waited = kAside;  // the nap in progress
  for (int64_t nap = aside_.Next({}); nap > 0; nap = aside_.Next({})) {
    waited += nap;
  }
  EXPECT_GE(waited, kMaxAbsent);
  EXPECT_LE(waited, kMaxAbsent + kMaxAside);
}

TEST_F(AsideTest, TurnsOfACrowdMakeNapsLong) {
  int64_t longest = aside_.Begin();
  for (int turns = 0; turns < 100; ++turns) {
    longest = std::max(longest, aside_.Next({}));
    longest = std::max(longest, aside_.Next(Polling(kDensePolls)));
  }
  EXPECT_EQ(longest, kMaxAside);
}

}  // namespace
}  // namespace gasnet::portals4
