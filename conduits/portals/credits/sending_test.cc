// Tests the sender. It takes credits, waits for credits, and gets credits back.
#include <gtest/gtest.h>

#include <optional>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/test_peers.h"

namespace gasnet::portals_conduit::credits {
namespace {

TEST(PeerTest, IsSmall) {
  static_assert(sizeof(PeerCredits) == 32, "and at most 48, wherever");
}

TEST(CreditByteTest, IsReadAsItWasWritten) {
  for (unsigned wire = 0; wire < 256; ++wire) {
    const CreditByte byte = CreditByte::Of(static_cast<uint8_t>(wire));
    EXPECT_EQ(byte.Wire(), wire);
    EXPECT_EQ(byte.epoch, wire >= 128);
    EXPECT_EQ(byte.extra, wire / 16 % 8);
    EXPECT_EQ(byte.used, wire % 16);
  }
}

TEST(CreditByteTest, CreditsAreOf256BytesAndAnEventTakesOne) {
  EXPECT_EQ(CreditsFor(0), 1u);
  EXPECT_EQ(CreditsFor(1), 1u);
  EXPECT_EQ(CreditsFor(256), 1u);
  EXPECT_EQ(CreditsFor(257), 2u);
  EXPECT_EQ(CreditsFor(16, true), 2u);
  EXPECT_EQ(LeastCredits(1024), 4);
  EXPECT_EQ(LeastCredits(2048), 8);
}

TEST(SendingTest, TakesAsManyAsThereAreAndNoMore) {
  Credits rank = NewRank(0);
  EXPECT_EQ(rank.Take(1, 4), Wire(false, 0, 4));
  EXPECT_EQ(rank.Take(1, 4), Wire(false, 0, 4));
  EXPECT_EQ(rank.Take(1, 2), Wire(false, 0, 2));
  EXPECT_EQ(rank.Look(1).in_use, 10);
  EXPECT_EQ(rank.Take(1, 1), std::nullopt);
  EXPECT_EQ(rank.Take(2, 4), Wire(false, 0, 4)) << "another's are others";
}

TEST(SendingTest, AReplyGivesBack) {
  Credits rank = NewRank(0);
  const uint8_t request = *rank.Take(1, 4);
  EXPECT_EQ(rank.ReplyArrived(1, request, request), nullptr);
  const PeerCredits peer = rank.Look(1);
  EXPECT_EQ(peer.in_use, 0);
  EXPECT_EQ(peer.send, kEach);
  EXPECT_EQ(peer.send_max, 4);
}

TEST(SendingTest, AsksForWhatItMissed) {
  Credits rank = NewRank(0);
  const uint8_t first = *rank.Take(1, 4);
  rank.Take(1, 4);
  EXPECT_EQ(rank.Take(1, 4), std::nullopt);
  EXPECT_EQ(rank.Take(1, 4), std::nullopt);
  EXPECT_EQ(rank.Look(1).stalls, 1) << "a stall, however often it is tried";
  EXPECT_EQ(rank.counters().stalls, 1u);
  rank.ReplyArrived(1, first, first);
  EXPECT_EQ(rank.Take(1, 4), Wire(false, 2, 4));
  EXPECT_EQ(rank.Take(1, 2), Wire(false, 0, 2)) << "asked for once";
}

TEST(SendingTest, AsksForSevenAtMost) {
  CreditSettings settings;
  Credits rank({.ranks = 2, .self = 0, .least = 15, .per_node = 15, .bank = 0},
               settings);
  const uint8_t first = *rank.Take(1, 15);
  EXPECT_EQ(rank.Take(1, 15), std::nullopt);
  rank.ReplyArrived(1, first, first);
  EXPECT_EQ(rank.Take(1, 15), Wire(false, 7, 15));
}

TEST(SendingTest, WhatIsLentOnTopMayBeUsed) {
  Credits rank = NewRank(0);
  const uint8_t first = *rank.Take(1, 4);
  rank.Take(1, 4);
  rank.Take(1, 4);
  rank.ReplyArrived(1, first, first);
  const uint8_t asking = *rank.Take(1, 4);
  EXPECT_EQ(rank.ReplyArrived(1, asking, Wire(false, 2, 4)), nullptr);
  EXPECT_EQ(rank.Look(1).send, kEach + 2);
  EXPECT_EQ(rank.counters().borrowed, 2u);
}

TEST(SendingTest, SmallerRequestsDoNotOvertakeOneThatWaits) {
  Credits rank = NewRank(0);
  const uint8_t first = *rank.Take(1, 4);
  const uint8_t second = *rank.Take(1, 4);
  EXPECT_EQ(rank.Take(1, 4), std::nullopt);
  EXPECT_EQ(rank.Take(1, 1), std::nullopt)
      << "2 are free, but 4 are waited for";
  EXPECT_EQ(rank.Look(1).stalls, 1);
  rank.ReplyArrived(1, first, first);
  EXPECT_EQ(rank.Take(1, 1), Wire(false, 2, 1))
      << "whoever comes when there are";
  EXPECT_EQ(rank.Take(1, 4), Wire(false, 0, 4));
  rank.ReplyArrived(1, second, second);
}

TEST(SendingTest, AnEndOfAnEpochLetsDecayAQuarterRemains) {
  CreditSettings settings;
  Credits rank = NewRank(0, settings, 100, 40);
  std::optional<uint8_t> last;
  for (int i = 0; i < 10; ++i) last = rank.Take(1, 4);
  for (int i = 0; i < 5; ++i) {
    rank.Take(1, 4);
    rank.ReplyArrived(1, *last, Wire(false, 0, 4));
    last = rank.Take(1, 4);
  }
  EXPECT_EQ(rank.Look(1).stalls, 5);
  EXPECT_EQ(rank.Look(1).send_max, 40);
  EXPECT_EQ(rank.ReplyArrived(1, *last, Wire(true, 0, 4)), nullptr);
  EXPECT_EQ(rank.Look(1).stalls, 1);
  EXPECT_EQ(rank.Look(1).send_max, 10);
  EXPECT_EQ(rank.Look(2).send_max, 0);
}

TEST(SendingTest, StaticCreditsAreNeverAskedFor) {
  CreditSettings settings;
  settings.mode = Mode::kStatic;
  Credits rank = NewRank(0, settings);
  const uint8_t first = *rank.Take(1, 4);
  rank.Take(1, 4);
  EXPECT_EQ(rank.Take(1, 4), std::nullopt);
  rank.ReplyArrived(1, first, first);
  EXPECT_EQ(rank.Take(1, 4), Wire(false, 0, 4));
}

TEST(SendingTest, WithoutFlowControlEverythingGoes) {
  CreditSettings settings;
  settings.mode = Mode::kOff;
  Credits rank = NewRank(0, settings, 0, 0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(rank.Take(1, 4), 0);
  EXPECT_EQ(rank.RequestArrived(1, 0), nullptr);
  EXPECT_EQ(rank.ReplyTo(1, 0), 0);
  EXPECT_EQ(rank.ReplyArrived(1, 0, 0), nullptr);
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
