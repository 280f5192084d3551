#include "core/observe/thread_log.h"
#include "core/observe/testing/counted_log.h"

#include <atomic>
#include <cstdint>

#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

std::atomic<uint32_t> all_groups{Mask::All().bits()};

TEST(TimedCallsTest, TheFirstCallsAreAllTimed) {
  for (uint64_t number = 1; number <= 64; ++number) {
    EXPECT_TRUE(IsTimed(number)) << number;
    EXPECT_EQ(StandsFor(number), 1u) << number;
    EXPECT_EQ(StoodFor(number), number) << number;
  }
  EXPECT_EQ(StoodFor(0), 0u);
}

TEST(TimedCallsTest, LaterOneOfEach64IsTimed) {
  EXPECT_FALSE(IsTimed(65));
  EXPECT_FALSE(IsTimed(127));
  EXPECT_TRUE(IsTimed(128));
  EXPECT_FALSE(IsTimed(129));
  EXPECT_TRUE(IsTimed(192));
  EXPECT_EQ(StandsFor(128), 64u);
  EXPECT_EQ(StandsFor(192), 64u);
  EXPECT_EQ(StoodFor(65), 64u);
  EXPECT_EQ(StoodFor(127), 64u);
  EXPECT_EQ(StoodFor(128), 128u);
  EXPECT_EQ(StoodFor(129), 128u);
}

TEST(TimedCallsTest, TimedCallsStandForAsManyAsStoodForSays) {
  uint64_t stood = 0;
  for (uint64_t number = 1; number <= 1000; ++number) {
    if (IsTimed(number)) stood += StandsFor(number);
    EXPECT_EQ(StoodFor(number), stood) << number;
  }
}

TEST(DurationsTest, ExtremesAndSumAreThoseOfAllDurations) {
  Durations durations;
  EXPECT_EQ(durations.least.Get(), 0u);
  for (const uint64_t nanos : {30, 10, 50, 20}) durations.Note(nanos);
  EXPECT_EQ(durations.timed.Get(), 4u);
  EXPECT_EQ(durations.sum.Get(), 110u);
  EXPECT_EQ(durations.least.Get(), 10u);
  EXPECT_EQ(durations.most.Get(), 50u);
}

TEST(DurationsTest, TheFirstDurationIsBothExtremes) {
  Durations durations;
  durations.Note(7);
  EXPECT_EQ(durations.least.Get(), 7u);
  EXPECT_EQ(durations.most.Get(), 7u);
}

// A zero duration counts as 1 ns: a least time of 0 means that nothing was
// timed.
TEST(DurationsTest, ADurationOfZeroIsOneNanosecond) {
  Durations durations;
  durations.Note(0);
  EXPECT_EQ(durations.least.Get(), 1u);
  durations.Note(5);
  EXPECT_EQ(durations.least.Get(), 1u);
  EXPECT_EQ(durations.timed.Get(), 2u);
  EXPECT_EQ(durations.sum.Get(), 5u);
}

TEST(DurationsTest, ExtremesAloneLeaveTheSum) {
  Durations durations;
  durations.NoteExtremes(9);
  EXPECT_EQ(durations.timed.Get(), 1u);
  EXPECT_EQ(durations.sum.Get(), 0u);
  EXPECT_EQ(durations.least.Get(), 9u);
  EXPECT_EQ(durations.most.Get(), 9u);
}

TEST(ThreadLogTest, ANewLogIsEmpty) {
  const CountedLog log(3, all_groups);
  EXPECT_EQ(log.current.call, Call::kNone);
  EXPECT_EQ(log.older, nullptr);
  EXPECT_EQ(log.waited, 0u);
  EXPECT_EQ(log.condition.since, 0);
  EXPECT_EQ(log.Of(Call::kPut).calls.Get(), 0u);
  EXPECT_EQ(log.Of(Call::kNone).waits.Get(), 0u);
  EXPECT_EQ(log.OfHandler(255).runs.Get(), 0u);
  EXPECT_EQ(log.OfWait(WaitFor::kLast).timed.Get(), 0u);
  for (Rank peer = 0; peer < 3; ++peer) {
    EXPECT_EQ(log.OfPeer(peer), nullptr) << peer;
  }
}

TEST(ThreadLogTest, CallsHandlersAndWaitsHaveCountsOfTheirOwn) {
  CountedLog log(1, all_groups);
  log.Of(Call::kGet).calls.Add(1);
  log.Of(Call::kNone).waits.Add(2);
  log.OfHandler(0).runs.Add(3);
  log.OfHandler(255).runs.Add(4);
  log.OfWait(WaitFor::kRoom).Note(5);
  log.OfTransfers(TransferKind::kGet).posted.Add(6);
  EXPECT_EQ(log.OfTransfers(TransferKind::kGet).posted.Get(), 6u);
  EXPECT_EQ(log.OfTransfers(TransferKind::kPut).posted.Get(), 0u);
  EXPECT_EQ(log.Of(Call::kGet).calls.Get(), 1u);
  EXPECT_EQ(log.Of(Call::kPut).calls.Get(), 0u);
  EXPECT_EQ(log.Of(Call::kNone).waits.Get(), 2u);
  EXPECT_EQ(log.OfHandler(0).runs.Get(), 3u);
  EXPECT_EQ(log.OfHandler(255).runs.Get(), 4u);
  EXPECT_EQ(log.OfHandler(1).runs.Get(), 0u);
  EXPECT_EQ(log.OfWait(WaitFor::kRoom).sum.Get(), 5u);
  EXPECT_EQ(log.OfWait(WaitFor::kBarrier).timed.Get(), 0u);
}

TEST(ThreadLogTest, TheMaskOfTheMomentDecides) {
  std::atomic<uint32_t> mask{Mask::Bit('P')};
  const CountedLog log(1, mask);
  EXPECT_TRUE(log.Counts(Call::kPut));
  EXPECT_FALSE(log.Counts(Call::kGet));
  mask = Mask::Bit('G');
  EXPECT_FALSE(log.Counts(Call::kPut));
  EXPECT_TRUE(log.Counts(Call::kGet));
}

TEST(ThreadLogTest, APeerHasItsOperationsAndBytes) {
  CountedLog log(200, all_groups);
  log.CountPeer(63, 10);
  log.CountPeer(63, 20);
  log.CountPeer(64, 0);
  log.CountPeer(199, 7);
  ASSERT_NE(log.OfPeer(63), nullptr);
  EXPECT_EQ(log.OfPeer(63)->operations.Get(), 2u);
  EXPECT_EQ(log.OfPeer(63)->bytes.Get(), 30u);
  ASSERT_NE(log.OfPeer(64), nullptr);
  EXPECT_EQ(log.OfPeer(64)->operations.Get(), 1u);
  EXPECT_EQ(log.OfPeer(64)->bytes.Get(), 0u);
  ASSERT_NE(log.OfPeer(199), nullptr);
  EXPECT_EQ(log.OfPeer(199)->bytes.Get(), 7u);
  // Rank 0 is in the same block as a peer that was named.
  ASSERT_NE(log.OfPeer(0), nullptr);
  EXPECT_EQ(log.OfPeer(0)->operations.Get(), 0u);
  EXPECT_EQ(log.OfPeer(65)->operations.Get(), 0u);
  EXPECT_EQ(log.OfPeer(192)->operations.Get(), 0u);
}

TEST(ThreadLogTest, MemoryForPeersIsMadeByBlocks) {
  CountedLog log(200, all_groups);
  log.CountPeer(70, 1);
  EXPECT_EQ(log.OfPeer(63), nullptr);
  EXPECT_NE(log.OfPeer(64), nullptr);
  EXPECT_NE(log.OfPeer(127), nullptr);
  EXPECT_EQ(log.OfPeer(128), nullptr);
}

// The call itself reports a peer outside the job as a mistake of the client.
TEST(ThreadLogTest, APeerOutsideTheJobIsNotCounted) {
  for (const Rank ranks : {1u, 3u, 64u, 65u}) {
    CountedLog log(ranks, all_groups);
    log.CountPeer(ranks, 1);
    log.CountPeer(ranks + 1, 1);
    log.CountPeer(~Rank{0} - 1, 1);
    for (Rank peer = 0; peer < ranks; ++peer) {
      EXPECT_EQ(log.OfPeer(peer), nullptr) << ranks << ' ' << peer;
    }
    log.CountPeer(ranks - 1, 5);
    ASSERT_NE(log.OfPeer(ranks - 1), nullptr) << ranks;
    EXPECT_EQ(log.OfPeer(ranks - 1)->bytes.Get(), 5u) << ranks;
  }
}

// Threads write their logs at the same time, so the logs must share no cache
// line.
TEST(ThreadLogTest, LogsShareNoCacheLine) {
  EXPECT_EQ(alignof(ThreadLog) % kCacheLine, 0u);
  EXPECT_EQ(sizeof(ThreadLog) % kCacheLine, 0u);
}

}  // namespace
}  // namespace gasnet::observe
