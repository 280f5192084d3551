// Tests scavenging: which ranks are asked for credits, in which order, and how
// many credits they return.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/test_peers.h"
#include "conduits/portals/credits/tuning.h"

namespace gasnet::portals_conduit::credits {
namespace {

std::vector<Rank> Asked(Credits& rank) {
  std::vector<Rank> asked;
  for (const Revokes::To& to : rank.Scavenge()) asked.push_back(to.peer);
  return asked;
}

TEST(ScavengingTest, IsWantedWhenSomebodyAsksAndTheBankIsLow) {
  Credits rank = NewRank(0, {}, kLowBank);
  EXPECT_FALSE(rank.WantsToScavenge());
  Serve(rank, 1, Wire(false, 0, 4));
  EXPECT_FALSE(rank.WantsToScavenge());
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_TRUE(rank.WantsToScavenge());
}

TEST(ScavengingTest, IsNotWantedForWhomNothingCanBeLentAnyway) {
  CreditSettings settings;
  settings.max_per_node = kEach;
  Credits full = NewRank(0, settings, 0);
  Serve(full, 1, Wire(false, 1, 4));
  EXPECT_FALSE(full.WantsToScavenge());
}

TEST(ScavengingTest, AsksWhoHasMoreThanTheLeastAndDidNotAskItself) {
  Credits rank = NewRank(0, {}, 0);
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_EQ(Asked(rank), std::vector<Rank>{2});
  EXPECT_FALSE(rank.WantsToScavenge());
  Credits poor = NewRank(0, {}, 0, kMin);
  Serve(poor, 1, Wire(false, 1, 4));
  EXPECT_TRUE(Asked(poor).empty());
}

TEST(ScavengingTest, AsksNobodyTwiceInAnEpochNorBeforeItHasAnswered) {
  CreditSettings settings;
  settings.epoch_duration = 2;
  Credits rank = NewRank(0, settings, 0);
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_EQ(Asked(rank), std::vector<Rank>{2});
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_EQ(rank.counters().epochs, 1u);
  EXPECT_EQ(Asked(rank), std::vector<Rank>{1})
      << "whose asking is forgotten; the other has not answered";
  EXPECT_EQ(rank.ReturnArrived(2, {.returned = 0, .epoch = false}), nullptr);
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_TRUE(Asked(rank).empty()) << "its turn in this epoch was before";
  Serve(rank, 1, Wire(false, 1, 4));
  EXPECT_EQ(Asked(rank), std::vector<Rank>{2});
}

TEST(ScavengingTest, TellsOfTheEndOfAnEpochOnce) {
  CreditSettings settings;
  settings.epoch_duration = 1;
  Credits rank = NewRank(0, settings, 0);
  Serve(rank, 1, Wire(false, 1, 4));
  bool told = false;
  for (const Revokes::To& to : rank.Scavenge()) {
    if (to.peer == 2) told = to.epoch;
  }
  EXPECT_TRUE(told);
  EXPECT_EQ(rank.Take(2, 1), Wire(false, 0, 1));
}

TEST(ScavengingTest, WhatComesBackIsBanked) {
  Credits rank = NewRank(0, {}, 0);
  Serve(rank, 1, Wire(false, 1, 4));
  rank.Scavenge();
  EXPECT_EQ(rank.ReturnArrived(2, {.returned = 6, .epoch = false}), nullptr);
  EXPECT_EQ(rank.bank(), 6u);
  EXPECT_EQ(rank.Look(2).loan, kEach - 6);
  EXPECT_EQ(Serve(rank, 1, Wire(false, 5, 4)).extra, 5);
}

TEST(ScavengingTest, EachIsAskedInItsTurnHoweverManyThereAre) {
  constexpr Rank kRanks = 3000;
  CreditSettings settings;
  Credits rank(
      {.ranks = kRanks, .self = 7, .least = 4, .per_node = 6, .bank = 0},
      settings);
  std::vector<int> times(kRanks);
  // Asks until each rank has been asked once.
  for (Rank i = 0; i < (kRanks + 7) / 8; ++i) {
    const std::vector<Rank> asked = Asked(rank);
    EXPECT_LE(asked.size(), 8u);
    for (const Rank peer : asked) {
      ++times[peer];
      EXPECT_EQ(rank.ReturnArrived(peer, {.returned = 2, .epoch = false}),
                nullptr);
    }
  }
  EXPECT_EQ(times[7], 0) << "itself";
  times[7] = 1;
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), kRanks);
  EXPECT_TRUE(Asked(rank).empty());
}

TEST(ScavengingTest, AsksFewInVain) {
  constexpr Rank kRanks = 3000;
  CreditSettings settings;
  settings.epoch_duration = 400;
  Credits rank(
      {.ranks = kRanks, .self = 0, .least = 4, .per_node = 6, .bank = 0},
      settings);
  const auto asked_in_all = [&] {
    size_t all = 0;
    while (const size_t asked = Asked(rank).size()) all += asked;
    return all;
  };
  EXPECT_EQ(asked_in_all(), 50u) << "an eighth of 400";
  EXPECT_FALSE(rank.WantsToScavenge());
  for (Rank peer = 1; peer <= 20; ++peer) {
    rank.ReturnArrived(peer,
                       {.returned = peer % 2 == 0 ? uint16_t{1} : uint16_t{0},
                        .epoch = false});
  }
  EXPECT_EQ(asked_in_all(), 10u) << "one more for each who gave";
  for (int i = 0; i < 400; ++i) Serve(rank, 1, Wire(false, 0, 1));
  EXPECT_EQ(asked_in_all(), 50u) << "of another epoch";
}

TEST(ScavengingTest, ASliceLooksAtSomeOnly) {
  constexpr Rank kRanks = 2000;
  Credits rank(
      {.ranks = kRanks, .self = 0, .least = 4, .per_node = 4, .bank = 0}, {});
  // After this, one peer can give up credits, and all other peers have only the
  // minimum. So each walk looks at as many ranks as a slice allows.
  Serve(rank, 1, Wire(false, 1, 1));
  EXPECT_TRUE(rank.WantsToScavenge());
  int slices = 0;
  while (true) {
    Serve(rank, 1, Wire(false, 1, 1));
    if (!rank.WantsToScavenge()) break;
    EXPECT_TRUE(Asked(rank).empty());
    ++slices;
  }
  EXPECT_EQ(slices, 4);
}

TEST(ReturningTest, KeepsWhatItUsedLately) {
  Credits rank = NewRank(0, {}, 0, 40);
  const uint8_t request = *rank.Take(1, 4);
  rank.Take(1, 4);
  rank.ReplyArrived(1, request, request);
  CreditAnswer answer;
  EXPECT_EQ(rank.RevokeArrived(1, false, &answer), nullptr);
  EXPECT_EQ(answer.returned, 32) << "8 were in use at a time";
  EXPECT_EQ(rank.Look(1).send, 8);
  EXPECT_EQ(rank.Look(1).revoked, 32);
  EXPECT_EQ(rank.RevokeArrived(1, true, &answer), nullptr);
  EXPECT_EQ(answer.returned, 4) << "4 are in use, 2 remembered, 4 the least";
  EXPECT_EQ(rank.Look(1).revoked, 8 + 4);
}

TEST(ReturningTest, KeepsTheLeast) {
  Credits rank = NewRank(0);
  CreditAnswer answer;
  rank.RevokeArrived(1, false, &answer);
  EXPECT_EQ(answer.returned, kEach - kMin);
  rank.RevokeArrived(1, false, &answer);
  EXPECT_EQ(answer.returned, 0);
}

TEST(ReturningTest, KeepsWhatIsInUseThoughItIsForgotten) {
  Credits rank = NewRank(0, {}, 0, 12);
  rank.Take(1, 4);
  rank.Take(1, 4);
  CreditAnswer answer;
  for (int i = 0; i < 5; ++i) rank.RevokeArrived(1, true, &answer);
  EXPECT_EQ(rank.Look(1).send_max, 0);
  EXPECT_EQ(rank.Look(1).send, 8);
}

TEST(ReturningTest, StopsAtTheLimitOfAnEpoch) {
  CreditSettings settings;
  settings.revoke_limit = 3;
  Credits rank = NewRank(0, settings);
  CreditAnswer answer;
  rank.RevokeArrived(1, false, &answer);
  EXPECT_EQ(answer.returned, 3);
  rank.RevokeArrived(1, false, &answer);
  EXPECT_EQ(answer.returned, 0);
  rank.RevokeArrived(1, true, &answer);
  EXPECT_EQ(answer.returned, 3) << "all 3 forgotten with the epoch";
}

TEST(ReturningTest, WhoMissedCreditsHasNoneToSpare) {
  Credits rank = NewRank(0);
  const uint8_t first = *rank.Take(1, 4);
  const uint8_t second = *rank.Take(1, 4);
  rank.Take(1, 4);
  rank.ReplyArrived(1, first, first);
  rank.ReplyArrived(1, second, second);
  CreditAnswer answer;
  rank.RevokeArrived(1, false, &answer);
  EXPECT_EQ(answer.returned, 0);
  rank.RevokeArrived(1, true, &answer);
  EXPECT_EQ(answer.returned, 6) << "the stall is forgotten, 4 are the least";
}

TEST(ReturningTest, TheAnswerTellsOfOurOwnEpoch) {
  CreditSettings settings;
  settings.epoch_duration = 1;
  Credits rank = NewRank(0, settings);
  Serve(rank, 2, Wire(false, 0, 1));
  CreditAnswer answer;
  rank.RevokeArrived(1, false, &answer);
  EXPECT_TRUE(answer.epoch);
  rank.RevokeArrived(1, false, &answer);
  EXPECT_FALSE(answer.epoch);
}

TEST(ReturningTest, TheAnswersEpochLetsDecay) {
  Credits rank = NewRank(0, {}, 0);
  rank.Take(2, 4);
  rank.Take(2, 4);
  Serve(rank, 1, Wire(false, 1, 4));
  rank.Scavenge();
  EXPECT_EQ(rank.ReturnArrived(2, {.returned = 0, .epoch = true}), nullptr);
  EXPECT_EQ(rank.Look(2).send_max, 2);
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
