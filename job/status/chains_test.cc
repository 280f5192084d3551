// Tests the causes that a diagnosis names if ranks wait for ranks that also
// wait: chains and cycles.
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/status/diagnosis.h"
#include "job/status/job_status.h"
#include "job/status/testing/job_view.h"

namespace gasnet::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> Causes(const JobView& job) { return Diagnose(job, 0); }

TEST(Diagnosis, TheEndOfAChainIsNamedAlone) {
  JobView job = PollingJob(3);
  Wait(job[0], RoomTo(1), 50);
  job[0].status.barriers = 1;
  WaitInBarrier(job[1], 1, 60);
  Compute(job[2], 70);
  EXPECT_THAT(
      Causes(job),
      ElementsAre("rank 1 (h, pid 101) has waited for 60 s in "
                  "gasnet_barrier_wait; rank 2 (h, pid 102) has not come: it "
                  "has not polled for at least 70 s, and is running"));
}

// Ranks 1 and 2 wait in a barrier for rank 0. Rank 0 waits for room to send to
// rank 2. Rank 2 makes no room: inside the barrier it runs a handler that never
// ends.
TEST(Diagnosis, AWaitWhoseHandlerDoesNotEndHoldsUpOthers) {
  JobView job = PollingJob(3);
  Wait(job[0], RoomTo(2), 40);
  WaitInBarrier(job[1], 1, 41);
  WaitInBarrier(job[2], 1, 42);
  Compute(job[2], 41);
  EXPECT_THAT(
      Causes(job),
      ElementsAre("rank 0 (h, pid 100) has waited for 40 s for room to send to "
                  "rank 2; rank 2 (h, pid 102) has not polled for at least "
                  "41 s, and is running, perhaps in a handler, while it waits "
                  "in gasnet_barrier_wait"));
  // Rank 2 was asked a moment ago if it polls, and may still answer.
  job[2].status.unpolled_nanos = kLongestWithoutPoll - 1;
  EXPECT_THAT(Causes(job),
              ElementsAre(HasSubstr("ranks wait for each other: ")));
}

TEST(Diagnosis, ALongChainIsFollowedInAnyOrder) {
  constexpr uint32_t kRanks = 20;
  for (const bool ascends : {false, true}) {
    JobView job = PollingJob(kRanks);
    for (uint32_t i = 0; i + 1 < kRanks; ++i) {
      if (ascends) {
        Wait(job[i], RoomTo(i + 1), 5);
      } else {
        Wait(job[i + 1], RoomTo(i), 5);
      }
    }
    const uint32_t end = ascends ? kRanks - 1 : 0;
    Compute(job[end], 9);
    ASSERT_EQ(Causes(job).size(), 1u);
    EXPECT_THAT(Causes(job)[0], HasSubstr("; " + job[end].name + " has not"));
  }
}

// One thread of rank 1 waits for rank 0. Another thread of rank 1 is the
// beginning of a chain.
TEST(Diagnosis, RanksThatWaitForAnEndTooAreNoCycle) {
  JobView job = PollingJob(5);
  Wait(job[0], RoomTo(1), 5);
  Wait(job[1], RoomTo(0), 5);
  for (uint32_t i = 1; i < 4; ++i) Wait(job[i], RoomTo(i + 1), 5);
  EXPECT_THAT(Causes(job),
              ElementsAre(HasSubstr("; rank 4 (h, pid 104) polls")));
}

TEST(Diagnosis, RanksThatWaitForEachOtherAreACycle) {
  JobView job = PollingJob(2);
  Wait(job[0], RoomTo(1), 50);
  Wait(job[1], RoomTo(0), 50);
  EXPECT_THAT(Causes(job),
              ElementsAre("ranks wait for each other: "
                          "rank 0 (h, pid 100) waits for room to send to rank "
                          "1, for rank 1; "
                          "rank 1 (h, pid 101) waits for room to send to rank "
                          "0, for rank 0"));
}

TEST(Diagnosis, RanksThatWaitForACycleAreNotPartOfIt) {
  JobView job = PollingJob(5);
  Wait(job[0], RoomTo(1), 50);
  Wait(job[1], RoomTo(3), 50);
  Wait(job[2], RoomTo(3), 50);
  Wait(job[3], RoomTo(2), 50);
  EXPECT_THAT(Causes(job),
              ElementsAre("ranks wait for each other: "
                          "rank 3 (h, pid 103) waits for room to send to rank "
                          "2, for rank 2; "
                          "rank 2 (h, pid 102) waits for room to send to rank "
                          "3, for rank 3"));
}

TEST(Diagnosis, ALongCycleIsToldInShort) {
  constexpr uint32_t kRanks = 20'000;
  JobView job = PollingJob(kRanks);
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    Wait(job[rank], RoomTo((rank + 1) % kRanks), 5);
  }
  ASSERT_EQ(Causes(job).size(), 1u);
  const std::string line = Causes(job)[0];
  EXPECT_THAT(line, HasSubstr("other: rank 0 (h, pid 100) waits for room to "
                              "send to rank 1, for rank 1; rank 1 (h"));
  EXPECT_THAT(line, testing::EndsWith(
                        "; rank 7 (h, pid 107) waits for room to send to rank "
                        "8, for rank 8; and so on, 20000 ranks in all"));
}

// Each rank waits for the next one, and the last one computes.
TEST(Diagnosis, AChainOfManyRanksIsALine) {
  constexpr uint32_t kRanks = 20'000;
  JobView job = PollingJob(kRanks);
  for (uint32_t rank = 0; rank + 1 < kRanks; ++rank) {
    Wait(job[rank], RoomTo(rank + 1), 5);
  }
  EXPECT_THAT(Causes(job),
              ElementsAre(HasSubstr("rank 19999 (h, pid 20099) polls")));
}

TEST(Diagnosis, ACycleThroughABarrierIsOne) {
  JobView job = PollingJob(2);
  WaitInBarrier(job[0], 1, 50);
  Wait(job[1], RoomTo(0), 50);
  ASSERT_EQ(Causes(job).size(), 1u);
  EXPECT_THAT(Causes(job)[0],
              HasSubstr("rank 0 (h, pid 100) waits in gasnet_barrier_wait, for "
                        "rank 1; "));
}

// One thread of rank 0 waits for rank 3, and rank 3 computes. Other threads of
// rank 0 wait for ranks of the cycle.
TEST(Diagnosis, ACycleIsFoundWhoeverWaitsForItToo) {
  JobView job = PollingJob(4);
  Wait(job[0], RoomTo(3), 50);
  Compute(job[3], 60);
  Wait(job[0], RoomTo(1), 50);
  Wait(job[0], RoomTo(2), 50);
  Wait(job[1], RoomTo(2), 50);
  Wait(job[2], RoomTo(1), 50);
  ASSERT_EQ(Causes(job).size(), 2u);
  EXPECT_THAT(Causes(job)[0],
              HasSubstr("; rank 3 (h, pid 103) has not polled"));
  EXPECT_THAT(Causes(job)[1],
              HasSubstr("rank 1 (h, pid 101) waits for room to send to rank 2, "
                        "for rank 2"));
}

TEST(Diagnosis, AStoppedRankIsACauseThoughItWaits) {
  JobView job = PollingJob(2);
  Wait(job[0], RoomTo(1), 50);
  Wait(job[1], RoomTo(0), 50);
  job[1].status.process = 'T';
  EXPECT_THAT(Causes(job),
              ElementsAre("rank 0 (h, pid 100) has waited for 50 s for room to "
                          "send to rank 1; rank 1 (h, pid 101) is stopped "
                          "(SIGSTOP)"));
}

}  // namespace
}  // namespace gasnet::job
