#include "tools/gasnetrun/remote/window.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "tools/gasnetrun/remote/agent_messages.h"

namespace gasnet::gasnetrun {
namespace {

TEST(WindowTest, ItHasRoomForWhatIsNotOnTheWay) {
  CreditWindow window(100);
  EXPECT_EQ(window.room(), 100u);
  window.Send(60);
  EXPECT_EQ(window.room(), 40u);
  EXPECT_TRUE(window.TakeCredit(50));
  EXPECT_EQ(window.room(), 90u);
}

TEST(WindowTest, WhatCannotWaitIsPaidForFirst) {
  CreditWindow window(100);
  window.Send(250);
  EXPECT_EQ(window.room(), 0u);
  EXPECT_TRUE(window.TakeCredit(150));
  EXPECT_EQ(window.room(), 0u);
  EXPECT_TRUE(window.TakeCredit(1));
  EXPECT_EQ(window.room(), 1u);
}

TEST(WindowTest, CreditForWhatWasNotSentIsRefused) {
  CreditWindow window(100);
  EXPECT_FALSE(window.TakeCredit(1));
  window.Send(10);
  EXPECT_FALSE(window.TakeCredit(11));
  EXPECT_TRUE(window.TakeCredit(10));
  EXPECT_FALSE(window.TakeCredit(1));
}

// If the receiver kept more credit, a sender could wait for ever.
TEST(WindowTest, CreditForAllButLittleOfAnyWindowComesBack) {
  for (const uint32_t size : {kOutputWindow, kRelayWindow, kMaxRelayWindow}) {
    CreditWindow window(size);
    Owed owed;
    for (uint32_t byte = 0; byte < 3 * size; ++byte) {
      ASSERT_GT(window.room(), 0u);
      window.Send(1);
      const uint32_t credit = owed.PassedOn(1);
      if (credit == 0) continue;
      ASSERT_TRUE(window.TakeCredit(credit));
    }
    EXPECT_GE(window.room(), size / 2);
  }
}

TEST(WindowTest, OneOfARelayGrowsWithTheHostsUpToALimit) {
  EXPECT_EQ(RelayWindow(1), kRelayWindow);
  EXPECT_EQ(RelayWindow(7), 7 * kRelayWindow);
  EXPECT_EQ(RelayWindow(65'535), kMaxRelayWindow);
}

}  // namespace
}  // namespace gasnet::gasnetrun
