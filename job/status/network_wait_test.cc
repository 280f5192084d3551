// Tests the part of networks in a diagnosis: their waits, and how full the
// rings are for which threads wait.
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/status/diagnosis.h"
#include "job/status/job_status.h"
#include "job/status/report.h"
#include "job/status/status_page.h"
#include "job/status/testing/job_view.h"

namespace gasnet::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void NetworkWaits(RankView& rank, uint32_t peer, int64_t seconds) {
  rank.status.network = {.nanos = seconds * kNanosPerSecond,
                         .peer = peer,
                         .text = "no answer to 7 packets"};
}

constexpr RingFill kFull = {
    .messages = 64, .max_messages = 64, .lines = 3, .max_lines = 1024};

TEST(NetworkWaitDiagnosis, IsQuotedForAWaitForRoom) {
  JobView job = PollingJob(3);
  Wait(job[0], RoomTo(2), 50);
  NetworkWaits(job[0], 2, 49);
  Compute(job[2], 20);
  EXPECT_THAT(
      Diagnose(job, 0),
      ElementsAre("rank 0 (h, pid 100) has waited for 50 s for room to send to "
                  "rank 2; rank 2 (h, pid 102) has not polled for at least 20 "
                  "s, and is running; the network of rank 0 has waited for 49 "
                  "s: no answer to 7 packets"));
}

TEST(NetworkWaitDiagnosis, NamesThePeerOfPutsToAnyRank) {
  JobView job = PollingJob(3);
  Wait(job[0], {.what = WaitFor::kTransfers, .first = 12}, 50);
  NetworkWaits(job[0], 2, 49);
  EXPECT_THAT(Diagnose(job, 0),
              ElementsAre("rank 0 (h, pid 100) has waited for 50 s for 12 puts "
                          "and gets with rank 2 to complete; rank 2 (h, pid "
                          "102) polls; the network of rank 0 has waited for 49 "
                          "s: no answer to 7 packets"));
}

// The client polls by itself, so it waits in no call of GASNet.
TEST(NetworkWaitDiagnosis, IsAWaitIfNoThreadWaits) {
  JobView job = PollingJob(3);
  NetworkWaits(job[0], 1, 30);
  WaitInBarrier(job[1], 1, 20);
  Compute(job[2], 40);
  const auto lines = Diagnose(job, 0);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("rank 2 (h, pid 102) has not come: it has "
                                  "not polled for at least 40 s"));
  EXPECT_THAT(lines[1], HasSubstr("rank 0 (h, pid 100) has waited for 30 s for "
                                  "its network to reach rank 1; rank 1 (h, pid "
                                  "101) waits in gasnet_barrier_wait"));
  job[1].status = job[2].status;
  EXPECT_EQ(LongestWait(job), 30 * kNanosPerSecond);
  EXPECT_THAT(
      Diagnose(job, 0),
      ElementsAre("rank 0 (h, pid 100) has waited for 30 s for its network to "
                  "reach rank 1; rank 1 (h, pid 101) has not polled for at "
                  "least 40 s, and is running; the network of rank 0 has "
                  "waited for 30 s: no answer to 7 packets"));
  EXPECT_THAT(Diagnose(job, 31 * kNanosPerSecond), IsEmpty());
}

// The peer waits, so it polls: the network may be broken.
TEST(NetworkWaitDiagnosis, ComesBeforeAnUnknownWait) {
  JobView job = PollingJob(4);
  for (const uint32_t rank : {1, 2, 3}) {
    Wait(job[rank], {.what = WaitFor::kCondition}, 50);
  }
  NetworkWaits(job[0], 3, 40);
  EXPECT_THAT(Diagnose(job, 0),
              ElementsAre(HasSubstr("for its network to reach rank 3; rank 3 "
                                    "(h, pid 103) waits in GASNET_BLOCKUNTIL; "
                                    "the network of rank 0 has waited for 40 "
                                    "s: no answer to 7 packets"),
                          HasSubstr("ranks 1-3 have waited")));
}

TEST(NetworkWaitDiagnosis, ComesBeforeACycle) {
  JobView job = PollingJob(2);
  Wait(job[0], {.what = WaitFor::kTransfers}, 50);
  NetworkWaits(job[0], 1, 49);
  WaitInBarrier(job[1], 1, 45);
  EXPECT_THAT(Diagnose(job, 0),
              ElementsAre(HasSubstr("the network of rank 0 has waited"),
                          HasSubstr("ranks wait for each other: ")));
}

TEST(NetworkWaitDiagnosis, ExplainsABarrierIntoWhichAllHaveCome) {
  JobView job = PollingJob(6);
  for (RankView& rank : job) WaitInBarrier(rank, 1, 20);
  for (const uint32_t rank : {1, 2, 3, 5}) NetworkWaits(job[rank], 4, 19);
  const auto lines = Diagnose(job, 0);
  ASSERT_EQ(lines.size(), 1u);
  for (const char* rank : {"rank 1", "rank 2", "rank 3"}) {
    EXPECT_THAT(lines[0],
                HasSubstr(std::string("; the network of ") + rank +
                          " has waited for 19 s: no answer to 7 packets"));
  }
  EXPECT_THAT(lines[0], Not(HasSubstr("the network of rank 5")));
}

TEST(NetworkWaitDiagnosis, IsNotQuotedIfARankHasNotCome) {
  JobView job = PollingJob(2);
  WaitInBarrier(job[0], 1, 20);
  NetworkWaits(job[0], 1, 19);
  EXPECT_THAT(Diagnose(job, 0), ElementsAre(Not(HasSubstr("network"))));
}

TEST(NetworkWaitDiagnosis, OfARankThatHasLeftDoesNotCount) {
  JobView job = PollingJob(2);
  NetworkWaits(job[0], 1, 30);
  job[0].phase = RankView::Phase::kLeft;
  EXPECT_EQ(LongestWait(job), 0);
  EXPECT_THAT(Diagnose(job, 0), IsEmpty());
}

TEST(RingFillTest, IsPackedWithinItsLimits) {
  const RingFill fill = RingFill::Unpack(kFull.Packed());
  EXPECT_EQ(fill.messages, 64u);
  EXPECT_EQ(fill.max_messages, 64u);
  EXPECT_EQ(fill.lines, 3u);
  EXPECT_EQ(fill.max_lines, 1024u);
  const RingFill large = {.messages = 1,
                          .max_messages = 0xffff,
                          .lines = 0x1'0000,
                          .max_lines = ~uint64_t{0}};
  EXPECT_EQ(large.Packed(), 0xffff'ffff'ffff'0001u);
}

TEST(RingFillTest, IsToldOfOneWaiter) {
  JobView job = PollingJob(4);
  Waiting room = RoomTo(2);
  room.second = kFull.Packed();
  Wait(job[0], room, 50);
  const std::string reason =
      "for room to send to rank 2 (its ring holds 64 of 64 messages and 192 of "
      "65536 bytes)";
  EXPECT_THAT(Diagnose(job, 0), ElementsAre(HasSubstr(reason)));
  EXPECT_THAT(StatusJson(job), HasSubstr("\"text\": \"" + reason));
}

// The line is about all waiters.
TEST(RingFillTest, IsNotToldOfSeveralWaiters) {
  JobView job = PollingJob(4);
  for (const uint32_t rank : {0, 1, 3}) {
    Waiting room = RoomTo(2);
    room.second = kFull.Packed() - rank;
    Wait(job[rank], room, 50);
  }
  EXPECT_THAT(Diagnose(job, 0),
              ElementsAre("ranks 0-1 and 3 have waited for 50 s for room to "
                          "send to rank 2; rank 2 (h, pid 102) polls"));
}

TEST(NetworkWaitCauses, AreTheSameUntilAnotherPeerIsWaitedFor) {
  JobView job = PollingJob(3);
  Wait(job[0], {.what = WaitFor::kTransfers, .first = 12}, 50);
  NetworkWaits(job[0], 2, 49);
  const auto causes = CausesOf(job, kNanosPerSecond);
  job[0].status.waits[0].waiting.first = 11;
  NetworkWaits(job[0], 2, 59);
  job[0].status.network.text = "no answer to 8 packets";
  EXPECT_EQ(CausesOf(job, kNanosPerSecond), causes);
  NetworkWaits(job[0], 1, 60);
  EXPECT_NE(CausesOf(job, kNanosPerSecond), causes);
}

TEST(NetworkWaitJson, HasItsMembers) {
  JobView job = PollingJob(2);
  NetworkWaits(job[0], 1, 3);
  EXPECT_THAT(StatusJson(job),
              HasSubstr("\"network\": {\"seconds\": 3.000, \"text\": \"no "
                        "answer to 7 packets\", \"peer\": 1}}"));
  NetworkWaits(job[0], kNobody, 3);
  EXPECT_THAT(StatusJson(job), HasSubstr("no answer to 7 packets\"}}"));
  job[0].status.network.nanos = 0;
  EXPECT_THAT(StatusJson(job), Not(HasSubstr("network")));
}

}  // namespace
}  // namespace gasnet::job
