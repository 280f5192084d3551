// Tests the lender. It serves requests, lends credits on top, ends epochs, and
// takes credits back.
#include <gtest/gtest.h>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/test_peers.h"

namespace gasnet::portals_conduit::credits {
namespace {

TEST(LendingTest, GivesBackWhatARequestUsed) {
  Credits rank = NewRank(0);
  EXPECT_EQ(rank.RequestArrived(1, Wire(false, 0, 3)), nullptr);
  EXPECT_EQ(rank.Look(1).serving, 3);
  EXPECT_EQ(rank.ReplyTo(1, Wire(false, 0, 3)), Wire(false, 0, 3));
  EXPECT_EQ(rank.Look(1).serving, 0);
  EXPECT_EQ(rank.Look(1).loan, kEach);
  EXPECT_EQ(rank.bank(), 100u);
}

TEST(LendingTest, LendsWhatIsMissedFromTheBank) {
  Credits rank = NewRank(0);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 2, 4)).extra, 2);
  const PeerCredits peer = rank.Look(1);
  EXPECT_EQ(peer.loan, kEach + 2);
  EXPECT_EQ(peer.loan_given, 2);
  EXPECT_EQ(peer.loan_requested, 1);
  EXPECT_EQ(rank.bank(), 98u);
  EXPECT_EQ(rank.total(), 2u * kEach + 100);
  EXPECT_FALSE(rank.WantsToScavenge()) << "the bank is far from low";
}

TEST(LendingTest, LendsTheLastOfTheBankAndNoMore) {
  Credits rank = NewRank(0, {}, 5);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 3, 4)).extra, 3);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 3, 4)).extra, 0);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 2, 4)).extra, 2);
  EXPECT_EQ(rank.bank(), 0u);
  EXPECT_EQ(rank.Look(1).loan_requested, 3);
}

TEST(LendingTest, StopsAtTheMaxOfANode) {
  CreditSettings settings;
  settings.max_per_node = kEach + 5;
  Credits rank = NewRank(0, settings);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 3, 4)).extra, 3);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 3, 4)).extra, 0);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 2, 4)).extra, 2);
  EXPECT_EQ(rank.Look(1).loan, kEach + 5);
}

TEST(LendingTest, StopsBehindTheLimitOfAnEpoch) {
  CreditSettings settings;
  settings.lender_limit = 7;
  Credits rank = NewRank(0, settings);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 7, 4)).extra, 7);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 7, 4)).extra, 7)
      << "at it is not behind";
  EXPECT_EQ(Serve(rank, 1, Wire(false, 1, 4)).extra, 0);
  EXPECT_EQ(Serve(rank, 2, Wire(false, 1, 4)).extra, 1) << "each for itself";
}

TEST(LendingTest, AnEpochIsANumberOfRequestsServed) {
  CreditSettings settings;
  settings.epoch_duration = 3;
  Credits rank = NewRank(0, settings);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(Serve(rank, 1, Wire(false, 5, 1)).epoch);
    EXPECT_EQ(rank.counters().epochs, i == 2 ? 1u : 0u);
  }
  EXPECT_EQ(rank.Look(1).loan_given, 3) << "15, decayed";
  EXPECT_EQ(rank.Look(1).loan_requested, 0);
  EXPECT_TRUE(Serve(rank, 1, Wire(false, 0, 1)).epoch);
  EXPECT_FALSE(Serve(rank, 1, Wire(false, 0, 1)).epoch) << "told once";
  EXPECT_EQ(rank.Take(2, 1), Wire(true, 0, 1)) << "in whatever goes there";
  EXPECT_EQ(rank.Take(2, 1), Wire(false, 0, 1));
}

TEST(LendingTest, EpochsThatPassUnseenAllCount) {
  CreditSettings settings;
  settings.epoch_duration = 1;
  Credits rank = NewRank(0, settings);
  for (int i = 0; i < 10; ++i) Serve(rank, 1, Wire(false, 7, 1));
  const uint16_t given = rank.Look(1).loan_given;
  EXPECT_GT(given, 0);
  Serve(rank, 2, Wire(false, 0, 1));
  EXPECT_EQ(rank.Look(1).loan_given, given >> 2);
  Serve(rank, 2, Wire(false, 0, 1));
  EXPECT_EQ(rank.Look(1).loan_given, given >> 4);
  for (int i = 0; i < 100; ++i) Serve(rank, 2, Wire(false, 0, 1));
  EXPECT_EQ(rank.Look(1).loan_given, 0);
}

TEST(LendingTest, StaticCreditsStayAndHaveNoEpochs) {
  CreditSettings settings;
  settings.mode = Mode::kStatic;
  settings.epoch_duration = 1;
  Credits rank = NewRank(0, settings, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(rank.RequestArrived(1, Wire(false, 0, 4)), nullptr);
    EXPECT_EQ(rank.ReplyTo(1, Wire(false, 0, 4)), Wire(false, 0, 4));
  }
  EXPECT_EQ(rank.counters().epochs, 0u);
  EXPECT_FALSE(rank.WantsToScavenge());
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
