#include "core/observe/totals.h"

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/observe/testing/counted_log.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

std::atomic<uint32_t> all_groups{Mask::All().bits()};

constexpr Rank kRanks = 130;

// The logs of two threads. The second log is newer.
class TotalsTest : public testing::Test {
 protected:
  TotalsTest() { second_.older = &first_; }

  static const CallTotal& Of(const Totals& totals, Call call) {
    return totals.calls[static_cast<size_t>(call)];
  }
  const CallTotal& Of(Call call) const { return Of(totals_, call); }
  const TotalTimes& OfWait(WaitFor what) const {
    return totals_.waits[static_cast<size_t>(what)];
  }
  void Collect() { totals_.Collect(&second_); }

  // Sets the counts of a log as if `number` calls had been made. The timed
  // calls took `nanos` each.
  static void SetCalls(ThreadLog& log, Call call, uint64_t number,
                       uint64_t nanos) {
    CallCounts& counts = log.Of(call);
    for (uint64_t i = 1; i <= number; ++i) {
      counts.calls.Add(1);
      if (!IsTimed(i)) continue;
      counts.times.NoteExtremes(nanos);
      counts.times.sum.Add(nanos * StandsFor(i));
    }
  }

  CountedLog first_{kRanks, all_groups};
  CountedLog second_{kRanks, all_groups};
  Totals totals_{kRanks};
};

TEST_F(TotalsTest, NoLogsHaveNoCounts) {
  SetCalls(first_, Call::kPut, 3, 10);
  first_.CountPeer(1, 1);
  Collect();
  totals_.Collect(nullptr);
  EXPECT_EQ(totals_.threads, 0u);
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  EXPECT_EQ(Of(Call::kPut).times.most, 0u);
  EXPECT_EQ(totals_.peers[1].operations, 0u);
  EXPECT_EQ(totals_.peers.size(), kRanks);
}

TEST_F(TotalsTest, CallsOfAllThreadsAreAddedUp) {
  first_.Of(Call::kPut).calls.Set(3);
  first_.Of(Call::kPut).bytes.Set(100);
  first_.Of(Call::kPut).waits.Set(1);
  first_.Of(Call::kPut).waiting.Set(40);
  first_.Of(Call::kPut).refused.Set(2);
  second_.Of(Call::kPut).calls.Set(5);
  second_.Of(Call::kPut).bytes.Set(10);
  second_.Of(Call::kPut).waits.Set(2);
  second_.Of(Call::kPut).waiting.Set(7);
  second_.Of(Call::kPut).refused.Set(1);
  second_.Of(Call::kGet).calls.Set(1);
  first_.Of(Call::kNone).waits.Set(9);
  Collect();
  EXPECT_EQ(totals_.threads, 2u);
  EXPECT_EQ(Of(Call::kPut).calls, 8u);
  EXPECT_EQ(Of(Call::kPut).bytes, 110u);
  EXPECT_EQ(Of(Call::kPut).waits, 3u);
  EXPECT_EQ(Of(Call::kPut).waiting, 47u);
  EXPECT_EQ(Of(Call::kPut).refused, 3u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(Of(Call::kNone).waits, 9u);
  Collect();
  EXPECT_EQ(Of(Call::kPut).calls, 8u) << "sums are set, not added to";
  EXPECT_EQ(totals_.threads, 2u);
}

TEST_F(TotalsTest, ExtremesAreThoseOfAllThreads) {
  first_.Of(Call::kPut).times.NoteExtremes(50);
  first_.Of(Call::kPut).times.NoteExtremes(20);
  second_.Of(Call::kPut).times.NoteExtremes(30);
  second_.Of(Call::kPut).times.NoteExtremes(70);
  Collect();
  EXPECT_EQ(Of(Call::kPut).times.least, 20u);
  EXPECT_EQ(Of(Call::kPut).times.most, 70u);
  EXPECT_EQ(Of(Call::kPut).times.timed, 4u);
}

// A `least` of 0 means that nothing was timed, so it is no minimum.
TEST_F(TotalsTest, AThreadWithoutTimesLeavesTheLeast) {
  first_.Of(Call::kPut).times.NoteExtremes(50);
  second_.Of(Call::kGet).times.NoteExtremes(60);
  Collect();
  EXPECT_EQ(Of(Call::kPut).times.least, 50u);
  EXPECT_EQ(Of(Call::kGet).times.least, 60u);
  EXPECT_EQ(Of(Call::kMemset).times.least, 0u);
}

TEST_F(TotalsTest, UntimedCallsAreTakenToBeLikeTheTimedOnes) {
  for (const uint64_t number : {1, 63, 64, 65, 100, 127, 128, 129, 192, 6400}) {
    CountedLog log(kRanks, all_groups);
    SetCalls(log, Call::kPut, number, 10);
    totals_.Collect(&log);
    EXPECT_EQ(Of(Call::kPut).calls, number);
    EXPECT_NEAR(static_cast<double>(Of(Call::kPut).times.sum),
                static_cast<double>(number * 10), 1)
        << number;
    EXPECT_EQ(Of(Call::kPut).time(), Of(Call::kPut).times.sum);
  }
}

TEST_F(TotalsTest, EachThreadHasItsOwnEstimate) {
  SetCalls(first_, Call::kPut, 96, 10);   // 64 of them are timed
  SetCalls(second_, Call::kPut, 2, 500);  // all of them are timed
  Collect();
  EXPECT_EQ(Of(Call::kPut).calls, 98u);
  EXPECT_EQ(Of(Call::kPut).times.sum, 96u * 10 + 2 * 500);
  EXPECT_EQ(Of(Call::kPut).times.timed, 66u);
}

TEST_F(TotalsTest, CallsWithoutATimedOneHaveNoTime) {
  first_.Of(Call::kPut).times.sum.Set(5);
  Collect();
  EXPECT_EQ(Of(Call::kPut).times.sum, 0u);
}

TEST_F(TotalsTest, TheTimeOfCallsIncludesTheirWaits) {
  SetCalls(first_, Call::kPut, 2, 10);
  first_.Of(Call::kPut).waiting.Set(100);
  Collect();
  EXPECT_EQ(Of(Call::kPut).times.sum, 20u);
  EXPECT_EQ(Of(Call::kPut).time(), 120u);
}

TEST_F(TotalsTest, HandlersOfAllThreadsAreAddedUp) {
  for (ThreadLog* const log : {&first_, &second_}) {
    HandlerCounts& counts = log->OfHandler(200);
    for (uint64_t i = 1; i <= 96; ++i) {
      counts.runs.Add(1);
      counts.bytes.Add(8);
      if (IsTimed(i)) {
        counts.times.NoteExtremes(10);
        counts.times.sum.Add(10 * StandsFor(i));
      }
    }
  }
  second_.OfHandler(255).runs.Set(1);
  first_.OfHandler(5).sent.Set(2);
  second_.OfHandler(5).sent.Set(1);
  second_.OfHandler(5).sent_bytes.Set(9);
  Collect();
  EXPECT_EQ(totals_.handlers[5].sent, 3u);
  EXPECT_EQ(totals_.handlers[5].sent_bytes, 9u);
  EXPECT_EQ(totals_.handlers[200].runs, 192u);
  EXPECT_EQ(totals_.handlers[200].bytes, 192u * 8);
  EXPECT_EQ(totals_.handlers[200].times.sum, 1920u);
  EXPECT_EQ(totals_.handlers[200].times.timed, 128u);
  EXPECT_EQ(totals_.handlers[255].runs, 1u);
  EXPECT_EQ(totals_.handlers[0].runs, 0u);
}

TEST_F(TotalsTest, WaitsOfAllThreadsAreAddedUp) {
  first_.OfWait(WaitFor::kBarrier).Note(10);
  second_.OfWait(WaitFor::kBarrier).Note(30);
  second_.OfWait(WaitFor::kAllRanks).Note(5);
  Collect();
  EXPECT_EQ(OfWait(WaitFor::kBarrier).timed, 2u);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).sum, 40u);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).least, 10u);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).most, 30u);
  EXPECT_EQ(OfWait(WaitFor::kAllRanks).sum, 5u);
  EXPECT_EQ(OfWait(WaitFor::kAnything).timed, 0u);
}

// One thread has posted what the other one has completed.
TEST_F(TotalsTest, TransfersOfAllThreadsAreAddedUp) {
  TransferCounts& posts = first_.OfTransfers(TransferKind::kPut);
  posts.posted.Set(5);
  posts.bytes.Set(50);
  TransferCounts& completions = second_.OfTransfers(TransferKind::kPut);
  completions.posted.Set(1);
  completions.bytes.Set(2);
  completions.completed.Set(4);
  completions.times.Note(30);
  completions.stood_for.Set(3);
  Collect();
  Totals before(kRanks);
  before.Collect(&second_);
  const TransferTotal& puts = totals_.transfers[0];
  EXPECT_EQ(puts.posted, 6u);
  EXPECT_EQ(puts.bytes, 52u);
  EXPECT_EQ(puts.completed, 4u);
  EXPECT_EQ(puts.times.sum, 30u);
  EXPECT_EQ(puts.stood_for, 3u);
  EXPECT_EQ(totals_.transfers[1].posted, 0u);

  posts.posted.Add(2);
  posts.bytes.Add(7);
  completions.completed.Add(1);
  completions.times.Note(10);
  completions.stood_for.Add(1);
  Collect();
  totals_.Subtract(before);
  EXPECT_EQ(puts.posted, 2u);
  EXPECT_EQ(puts.bytes, 7u);
  EXPECT_EQ(puts.completed, 1u);
  EXPECT_EQ(puts.times.timed, 1u);
  EXPECT_EQ(puts.times.sum, 10u);
  EXPECT_EQ(puts.stood_for, 1u);
  EXPECT_EQ(puts.times.least, 10u);
  EXPECT_EQ(puts.times.most, 30u);
}

TEST_F(TotalsTest, PeersOfAllThreadsAreAddedUp) {
  first_.CountPeer(0, 1);
  first_.CountPeer(129, 10);
  second_.CountPeer(129, 20);
  second_.CountPeer(70, 5);
  Collect();
  EXPECT_EQ(totals_.peers[0].operations, 1u);
  EXPECT_EQ(totals_.peers[129].operations, 2u);
  EXPECT_EQ(totals_.peers[129].bytes, 30u);
  EXPECT_EQ(totals_.peers[70].bytes, 5u);
  EXPECT_EQ(totals_.peers[1].operations, 0u);
}

TEST_F(TotalsTest, OnlyCountsSinceAnEarlierMomentRemain) {
  Totals before(kRanks);
  SetCalls(first_, Call::kPut, 2, 10);
  first_.Of(Call::kPut).bytes.Set(100);
  first_.Of(Call::kPut).waits.Set(1);
  first_.Of(Call::kPut).waiting.Set(7);
  first_.OfHandler(130).runs.Set(4);
  first_.OfHandler(130).bytes.Set(40);
  first_.OfHandler(5).sent.Set(3);
  first_.OfHandler(5).sent_bytes.Set(30);
  first_.OfWait(WaitFor::kRoom).Note(50);
  first_.CountPeer(3, 9);
  before.Collect(&second_);

  SetCalls(first_, Call::kPut, 1, 30);
  first_.Of(Call::kPut).bytes.Add(11);
  first_.Of(Call::kPut).waits.Add(2);
  first_.Of(Call::kPut).waiting.Add(3);
  first_.OfHandler(130).runs.Add(1);
  first_.OfHandler(130).bytes.Add(6);
  first_.OfHandler(5).sent.Add(2);
  first_.OfHandler(5).sent_bytes.Add(7);
  first_.OfWait(WaitFor::kRoom).Note(20);
  first_.CountPeer(3, 1);
  second_.Of(Call::kGet).calls.Set(1);
  Collect();
  totals_.Subtract(before);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).bytes, 11u);
  EXPECT_EQ(Of(Call::kPut).times.timed, 1u);
  EXPECT_EQ(Of(Call::kPut).times.sum, 30u);
  EXPECT_EQ(Of(Call::kPut).waits, 2u);
  EXPECT_EQ(Of(Call::kPut).waiting, 3u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(totals_.handlers[130].runs, 1u);
  EXPECT_EQ(totals_.handlers[130].bytes, 6u);
  EXPECT_EQ(totals_.handlers[5].sent, 2u);
  EXPECT_EQ(totals_.handlers[5].sent_bytes, 7u);
  EXPECT_EQ(OfWait(WaitFor::kRoom).timed, 1u);
  EXPECT_EQ(OfWait(WaitFor::kRoom).sum, 20u);
  EXPECT_EQ(totals_.peers[3].operations, 1u);
  EXPECT_EQ(totals_.peers[3].bytes, 1u);
  EXPECT_EQ(Of(Call::kPut).times.least, 10u) << "the extremes stay";
  EXPECT_EQ(Of(Call::kPut).times.most, 30u);
  EXPECT_EQ(OfWait(WaitFor::kRoom).most, 50u);
  EXPECT_EQ(totals_.threads, 2u);
}

// An estimate may become smaller than an earlier one.
TEST_F(TotalsTest, NothingBecomesNegative) {
  Totals before(kRanks);
  SetCalls(first_, Call::kPut, 127, 1000);  // 64 timed: the estimate is 127000
  before.Collect(&first_);
  CallCounts& counts = first_.Of(Call::kPut);
  counts.calls.Add(1);
  counts.times.NoteExtremes(1);
  counts.times.sum.Add(StandsFor(128));
  totals_.Collect(&first_);
  totals_.Subtract(before);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).times.sum, 0u);
}

}  // namespace
}  // namespace gasnet::observe
