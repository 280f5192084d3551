// Tests the measurement of waits. Only seconds in which the rank called Look()
// must count.
#include "conduits/ofi/silence_watchdog.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/transfer_ranks.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::ShortOf;
using testing::TransferRanks;

class SilenceWatchdogTest : public ::testing::Test {
 protected:
  // Calls Look() once a second for `seconds` seconds. Returns the longest wait
  // after that, with its length.
  std::string LookFor(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      now_ += kNanosPerSecond;
      EXPECT_TRUE(silence_watchdog_.Look(now_));
      EXPECT_FALSE(silence_watchdog_.Look(now_ + 1));
    }
    const std::optional<Waited> waited = silence_watchdog_.Longest();
    if (!waited) return "";
    return waited->what + " for " +
           std::to_string(ranks_.ranks()[0].clock().now - waited->since);
  }
  void Flood() {
    const std::array<int32_t, 2> arguments = {1, 2};
    testing::Flood(ranks_.ranks()[0], 1, ShortOf(arguments));
  }

  TransferRanks ranks_{{.late = 1000000}, 2};
  SilenceWatchdog silence_watchdog_{ranks_.ranks()[0].clock(),
                                    ranks_.ranks()[0].messages(), ranks_[0]};
  int64_t now_ = 7 * kNanosPerSecond;
};

TEST_F(SilenceWatchdogTest, NothingIsWaitedForAtFirst) {
  EXPECT_FALSE(silence_watchdog_.IsWaiting());
  EXPECT_EQ(LookFor(100), "");
}

TEST_F(SilenceWatchdogTest, ATransferThatDoesNotComplete) {
  LookFor(5);
  rma::PendingCount complete;
  ranks_.PostAll(0, rma::Put{1, ranks_.Memory(1), ranks_.Memory(0), 8,
                             &complete, nullptr});
  EXPECT_TRUE(silence_watchdog_.IsWaiting());
  EXPECT_EQ(LookFor(0), "") << "it has waited for less than a second";
  EXPECT_EQ(LookFor(1), "put of 8 bytes to rank 1 for 1");
  EXPECT_EQ(LookFor(29), "put of 8 bytes to rank 1 for 30");
}

TEST_F(SilenceWatchdogTest, ASendThatDoesNotComplete) {
  const std::array<int32_t, 2> arguments = {1, 2};
  ASSERT_EQ(ranks_.ranks()[0].Send(1, Lane::kRequest, ShortOf(arguments)),
            am::Post::kDone);
  EXPECT_TRUE(silence_watchdog_.IsWaiting());
  EXPECT_EQ(LookFor(30), "request to rank 1 for 30");
}

// The oldest of several waits counts.
TEST_F(SilenceWatchdogTest, APeerThatTakesNothing) {
  ranks_.fabric().Block(ranks_.ranks()[1].endpoint().name(), true);
  Flood();
  EXPECT_TRUE(silence_watchdog_.IsWaiting());
  EXPECT_EQ(LookFor(33),
            "a place in the provider's queue for a message to rank 1 for 33");
}

// A refused transfer counts as a wait although no operation is under way. For
// example, a client may only repeat a refused put.
TEST_F(SilenceWatchdogTest, ATransferThatIsNotTaken) {
  const std::string name = ranks_.ranks()[1].endpoint().name();
  rma::PendingCount complete;
  const rma::Put put{1, ranks_.Memory(1), ranks_.Memory(0),
                     8, &complete,        nullptr};
  const rma::Get get{1, ranks_.Memory(0), ranks_.Memory(1), 8, &complete};
  ranks_.fabric().Block(name, true);
  std::string longest;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(ranks_[0].Post(put).state, rma::PostState::kRetry);
    EXPECT_EQ(ranks_[0].Post(get).state, rma::PostState::kRetry);
    EXPECT_TRUE(silence_watchdog_.IsWaiting());
    longest = LookFor(1);
  }
  EXPECT_EQ(longest,
            "a place in the provider's queue for a put of 8 bytes to rank 1 "
            "for 40");
}

TEST_F(SilenceWatchdogTest,
       ATransferThatIsTakenOrGivenUpIsNotWaitedForAnyMore) {
  const std::string name = ranks_.ranks()[1].endpoint().name();
  rma::PendingCount complete;
  const rma::Put put{1, ranks_.Memory(1), ranks_.Memory(0),
                     8, &complete,        nullptr};
  ranks_.fabric().Block(name, true);
  ranks_[0].Post(put);
  LookFor(5);
  EXPECT_FALSE(silence_watchdog_.IsWaiting()) << "nobody offers it";
  for (int i = 0; i < 20; ++i) {
    ranks_[0].Post(put);
    LookFor(1);
  }
  ranks_.fabric().Block(name, false);
  EXPECT_EQ(ranks_[0].Post(put).state, rma::PostState::kPosted);
  EXPECT_EQ(LookFor(2), "put of 8 bytes to rank 1 for 2");
}

// When the provider accepts a refused message, the wait for this ends.
TEST_F(SilenceWatchdogTest, WhatIsTakenIsNotWaitedForAnyMore) {
  const std::string name = ranks_.ranks()[1].endpoint().name();
  ranks_.fabric().Block(name, true);
  Flood();
  LookFor(20);
  ranks_.fabric().Block(name, false);
  Flood();
  EXPECT_EQ(LookFor(1), "request to rank 1 for 1");
}

// An injected message has no completion of its own. The watchdog sends a mark
// behind the message, and the rank then waits for the mark.
TEST(SilenceOfInjectedTest, AnInjectedMessageThatDoesNotLeave) {
  TransferRanks ranks({.late = 1000000, .order = FI_ORDER_SAS}, 2);
  testing::TestRank& sender = ranks.ranks()[0];
  SilenceWatchdog watchdog(sender.clock(), sender.messages(), ranks[0]);
  const std::array<int32_t, 2> arguments = {1, 2};
  ASSERT_EQ(sender.Send(1, Lane::kRequest, ShortOf(arguments)),
            am::Post::kDone);
  ASSERT_EQ(ranks.fabric().counts().injected, 1u);
  EXPECT_TRUE(watchdog.IsWaiting());
  for (int64_t second = 1; second <= 100; ++second) {
    watchdog.Look(second * kNanosPerSecond);
  }
  const std::optional<Waited> longest = watchdog.Longest();
  ASSERT_TRUE(longest.has_value());
  EXPECT_EQ(longest->what, "request to rank 1");
  EXPECT_EQ(ranks.fabric().counts().posts, 2u) << "it was asked about once";
}

// Time in which the rank does not call Look() is not a wait.
TEST_F(SilenceWatchdogTest, APauseOfTheClientIsNoWait) {
  rma::PendingCount complete;
  ranks_.PostAll(0, rma::Put{1, ranks_.Memory(1), ranks_.Memory(0), 8,
                             &complete, nullptr});
  now_ += 1000 * kNanosPerSecond;
  EXPECT_EQ(LookFor(29), "put of 8 bytes to rank 1 for 29");
}

}  // namespace
}  // namespace gasnet::ofi
