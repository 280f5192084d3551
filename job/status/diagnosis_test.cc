// Tests the causes that a diagnosis names for jobs that are stuck in several
// ways.
#include "job/status/diagnosis.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/status/job_status.h"
#include "job/status/testing/job_view.h"

namespace gasnet::job {
namespace {

using Phase = RankView::Phase;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Causes(const JobView& job) { return Diagnose(job, 0); }

// Returns a job of three ranks: two wait in a barrier for the third.
JobView BarrierJob() {
  JobView job = PollingJob(3);
  WaitInBarrier(job[0], 1, 41);
  WaitInBarrier(job[1], 1, 40);
  return job;
}

// The beginning of the line about BarrierJob().
const char kInBarrier[] =
    "ranks 0-1 have waited for 41 s in gasnet_barrier_wait; ";

TEST(Diagnosis, AJobThatRunsHasNone) {
  JobView job = PollingJob(3);
  Compute(job[1], 100);
  EXPECT_THAT(Causes(job), IsEmpty());
}

TEST(Diagnosis, ARankThatHasNotComeIsNamedWithItsCondition) {
  struct Case {
    void (*make)(RankView&);
    const char* condition;
  };
  const Case cases[] = {
      {[](RankView& rank) { Compute(rank, 41); },
       "has not polled for at least 41 s, and is running"},
      {[](RankView& rank) { Compute(rank, 2, 'S'); },
       "has not polled for at least 2.0 s, and sleeps outside of GASNet"},
      {[](RankView& rank) { Compute(rank, 2, 'D'); },
       "has not polled for at least 2.0 s, and sleeps in the kernel"},
      {[](RankView& rank) { Compute(rank, 2, 'Z'); },
       "has not polled for at least 2.0 s, and is ending"},
      {[](RankView& rank) { Compute(rank, 2, '?'); },
       "has not polled for at least 2.0 s, and is in an unknown state"},
      {[](RankView& rank) { Compute(rank, 2, 'T'); }, "is stopped (SIGSTOP)"},
      {[](RankView& rank) { Compute(rank, 2, 't'); },
       "is stopped by a debugger"},
      {[](RankView& rank) { rank.phase = Phase::kEnded; }, "has ended"},
      {[](RankView& rank) { rank.phase = Phase::kLeft; },
       "has called gasnet_exit"},
      {[](RankView& rank) {
         rank.phase = Phase::kNotJoined;
         rank.status.process = 'R';
       },
       "has not called gasnet_init, and is running"},
      {[](RankView& rank) {
         rank.phase = Phase::kNotJoined;
         rank.status.process = 'T';
       },
       "has not called gasnet_init, and is stopped"},
      {[](RankView& rank) { rank.status.has_page = false; },
       "is still in gasnet_init, or has left GASNet, and sleeps outside of "
       "GASNet"},
      {[](RankView&) {}, "polls"},
  };
  for (const Case& it : cases) {
    JobView job = BarrierJob();
    it.make(job[2]);
    EXPECT_THAT(
        Causes(job),
        ElementsAre(std::string(kInBarrier) +
                    "rank 2 (h, pid 102) has not come: it " + it.condition));
  }
}

TEST(Diagnosis, ARankOfASilentHostIsASuspectAndNotMissing) {
  JobView job = PollingJob(3);
  for (const uint32_t rank : {0, 1}) WaitInBarrier(job[rank], 3, 5);
  job[2].status = {};
  job[2].has_reported = false;
  EXPECT_THAT(Diagnose(job, 0),
              ElementsAre("ranks 0-1 have waited for 5.0 s in "
                          "gasnet_barrier_wait, perhaps for rank 2 (h, pid "
                          "102), which is on a host that has not answered"));
}

TEST(Diagnosis, RanksThatHaveNotComeAreNamedTogetherTheFreeOnesFirst) {
  JobView job = PollingJob(6);
  WaitInBarrier(job[0], 1, 41);
  Wait(job[1], RoomTo(0), 1);
  Compute(job[2], 50);
  job[3].status.process = 'T';
  Compute(job[4], 50);
  Wait(job[5], RoomTo(0), 1);
  // Rank 0 is stuck in the barrier, so the waits of ranks 1 and 5 for rank 0
  // get no lines of their own.
  EXPECT_THAT(
      Causes(job),
      ElementsAre(
          "rank 0 (h, pid 100) has waited for 41 s in gasnet_barrier_wait; "
          "ranks 2 and 4 have not come: each has not polled for at least 50 s, "
          "and is running; "
          "rank 3 (h, pid 103) has not come: it is stopped (SIGSTOP); "
          "ranks 1 and 5 have not come: each waits for room to send to rank "
          "0"));
}

TEST(Diagnosis, ARankIsMissingUntilItsCountIsThatOfTheBarrier) {
  struct Case {
    uint64_t number;
    uint32_t begun;
    bool is_missing;
  };
  // The counts of a rank have 32 bits and wrap around.
  const uint64_t four_billions = uint64_t{1} << 32;
  const Case cases[] = {{5, 4, true},
                        {5, 5, false},
                        {5, 6, false},
                        {four_billions - 1, ~uint32_t{0} - 1, true},
                        {four_billions - 1, ~uint32_t{0}, false},
                        {four_billions - 1, 0, false},
                        {four_billions, ~uint32_t{0}, true},
                        {four_billions, 0, false},
                        {four_billions + 1, 0, true},
                        {four_billions + 1, 1, false}};
  for (const Case& it : cases) {
    JobView job = PollingJob(2);
    WaitInBarrier(job[0], it.number, 5);
    job[1].status.barriers = it.begun;
    ASSERT_EQ(Causes(job).size(), 1u);
    EXPECT_EQ(Causes(job)[0].ends_with("rank 1 (h, pid 101) has not come: it "
                                       "polls"),
              it.is_missing)
        << it.number << " " << it.begun << " " << Causes(job)[0];
  }
}

// Returns a job whose ranks have begun `begun` collectives on the team. The
// first rank waits in its fifth collective.
JobView CollectiveJob(uint64_t team, const std::vector<uint32_t>& begun) {
  JobView job = PollingJob(static_cast<uint32_t>(begun.size()));
  for (uint32_t rank = 0; rank < begun.size(); ++rank) {
    job[rank].status.teams = {{team + 77, 1}, {team, begun[rank]}};
  }
  Wait(job[0], {.what = WaitFor::kCollective, .first = team, .second = 5}, 8);
  return job;
}

TEST(Diagnosis, ARankThatHasNotBegunACollectiveIsNamed) {
  JobView job = CollectiveJob(kTeamOfAll, {5, 4, 5, 6});
  EXPECT_THAT(
      Causes(job),
      ElementsAre("rank 0 (h, pid 100) has waited for 8.0 s in collective 5 of "
                  "the team of all ranks; rank 1 (h, pid 101) has not come: it "
                  "polls"));
}

TEST(Diagnosis, CountsOfCollectivesWrap) {
  JobView job = CollectiveJob(kTeamOfAll, {0, ~uint32_t{0}, 0});
  job[0].status.waits[0].waiting.second = uint64_t{1} << 32;
  EXPECT_THAT(Causes(job),
              ElementsAre(HasSubstr("; rank 1 (h, pid 101) has not come: it")));
}

TEST(Diagnosis, ARankThatHasNotBegunATeamOfAllIsMissingThere) {
  for (const uint64_t team : {kTeamOfAll, kBarriersOfAll}) {
    JobView job = CollectiveJob(team, {5, 5, 5});
    job[2].status.teams.clear();
    EXPECT_THAT(
        Causes(job),
        ElementsAre(HasSubstr("; rank 2 (h, pid 102) has not come: it")));
  }
}

TEST(Diagnosis, ARankThatIsNoMemberIsNotMissing) {
  JobView job = CollectiveJob(TeamName(3, 9), {5, 4, 5, 5});
  job[2].status.teams.clear();
  EXPECT_THAT(
      Causes(job),
      ElementsAre("rank 0 (h, pid 100) has waited for 8.0 s in collective 5 of "
                  "a team that begins with rank 3; rank 1 (h, pid 101) has not "
                  "come: it polls"));
}

TEST(Diagnosis, ABarrierOfAllRanksOfGasnetExIsNamedSo) {
  EXPECT_THAT(Causes(CollectiveJob(kBarriersOfAll, {5, 4})),
              ElementsAre(HasSubstr(
                  "for 8.0 s in gex_Coll_BarrierNB of all ranks; rank 1")));
}

TEST(Diagnosis, ARankThatHasNotComeToACollectiveCallOfTheJobIsNamed) {
  JobView job = PollingJob(3);
  for (const uint32_t rank : {0, 2}) {
    Wait(job[rank], {.what = WaitFor::kAllRanks}, 20);
  }
  job[1].phase = Phase::kNotJoined;
  EXPECT_THAT(
      Causes(job),
      ElementsAre("ranks 0 and 2 have waited for 20 s in gasnet_init, "
                  "gasnet_attach or gasnet_finalize; rank 1 (h, pid 101) has "
                  "not come: it has not called gasnet_init, and sleeps outside "
                  "of GASNet"));
}

TEST(Diagnosis, AllThatWaitForOneRanksRoomAreOneLine) {
  JobView job = PollingJob(4);
  for (const uint32_t rank : {0, 1, 3}) Wait(job[rank], RoomTo(2), 20 + rank);
  Compute(job[2], 30);
  EXPECT_THAT(
      Causes(job),
      ElementsAre("ranks 0-1 and 3 have waited for 23 s for room to send to "
                  "rank 2; rank 2 (h, pid 102) has not polled for at least 30 "
                  "s, and is running"));
}

TEST(Diagnosis, ReasonsOfWaitsAreTold) {
  struct Case {
    Waiting waiting;
    const char* reason;
  };
  const Case cases[] = {
      {{.what = WaitFor::kRoom, .peer = 1, .first = 1},
       "for room to send a reply to rank 1"},
      {{.what = WaitFor::kTransfers, .peer = 1},
       "for puts and gets with rank 1 to complete"},
      {{.what = WaitFor::kTransfers}, "for puts and gets to complete"},
      {{.what = WaitFor::kCondition}, "in GASNET_BLOCKUNTIL"},
      {{.what = WaitFor::kAnything}, "in GASNet"},
  };
  for (const Case& it : cases) {
    JobView job = PollingJob(2);
    Wait(job[0], it.waiting, 3);
    Compute(job[1], 5);
    ASSERT_EQ(Causes(job).size(), 1u);
    const std::string expected =
        std::string("rank 0 (h, pid 100) has waited for 3.0 s ") + it.reason;
    const bool is_known = it.waiting.peer != kNobody;
    EXPECT_EQ(Causes(job)[0],
              expected +
                  (is_known ? "; rank 1 (h, pid 101) "
                            : ", perhaps for rank 1 (h, pid 101), which ") +
                  "has not polled for at least 5.0 s, and is running");
  }
}

TEST(Diagnosis, TheCauseThatMostRanksWaitForIsFirst) {
  JobView job = PollingJob(6);
  Wait(job[0], RoomTo(4), 50);
  for (const uint32_t rank : {1, 2, 3}) Wait(job[rank], RoomTo(5), 20);
  EXPECT_THAT(Causes(job), ElementsAre(HasSubstr("rank 5 (h, pid 105) polls"),
                                       HasSubstr("rank 4 (h, pid 104) polls")));
}

TEST(Diagnosis, ARankThatWaitsWithSeveralThreadsIsOne) {
  JobView job = PollingJob(3);
  for (const int64_t seconds : {1, 3, 2}) Wait(job[0], RoomTo(2), seconds);
  EXPECT_THAT(Causes(job),
              ElementsAre("rank 0 (h, pid 100) has waited for 3.0 s for room "
                          "to send to rank 2; rank 2 (h, pid 102) polls"));
}

TEST(Diagnosis, WaitsOfRanksThatHaveLeftOrEndedDoNotCount) {
  for (const Phase phase : {Phase::kLeft, Phase::kEnded, Phase::kNotJoined}) {
    JobView job = PollingJob(2);
    Wait(job[0], RoomTo(1), 50);
    job[0].phase = phase;
    EXPECT_THAT(Causes(job), IsEmpty());
    EXPECT_EQ(LongestWait(job), 0);
  }
}

TEST(Diagnosis, ShorterWaitsAreLeftOut) {
  JobView job = PollingJob(3);
  Wait(job[0], RoomTo(2), 5);
  Wait(job[1], RoomTo(2), 6);
  EXPECT_THAT(Diagnose(job, 6 * kNanosPerSecond),
              ElementsAre(HasSubstr("rank 1 (h, pid 101) has waited")));
  EXPECT_THAT(Diagnose(job, 6 * kNanosPerSecond + 1), IsEmpty());
}

// The rank goes from one short wait to the next.
TEST(Diagnosis, ARankWhoseWaitsAreShortIsACause) {
  JobView job = PollingJob(2);
  WaitInBarrier(job[0], 1, 60);
  Wait(job[1], {.what = WaitFor::kCondition}, 1);
  EXPECT_THAT(
      Diagnose(job, 15 * kNanosPerSecond),
      ElementsAre("rank 0 (h, pid 100) has waited for 60 s in "
                  "gasnet_barrier_wait; rank 1 (h, pid 101) has not come: it "
                  "waits in GASNET_BLOCKUNTIL"));
}

TEST(Diagnosis, AnUnknownWaitHasSuspects) {
  JobView job = PollingJob(6);
  Wait(job[0], {.what = WaitFor::kCondition}, 50);
  Compute(job[1], 60);
  job[2].phase = Phase::kEnded;
  Compute(job[3], 60);
  job[4].status.process = 'T';
  EXPECT_THAT(
      Causes(job),
      ElementsAre("rank 0 (h, pid 100) has waited for 50 s in "
                  "GASNET_BLOCKUNTIL, perhaps for rank 2 (h, pid 102), which "
                  "has ended; and ranks 1 and 3, each of which has not polled "
                  "for at least 60 s, and is running; and rank 4 (h, pid 104), "
                  "which is stopped (SIGSTOP)"));
}

TEST(Diagnosis, AnUnknownWaitMayBeForNobodyThatIsKnown) {
  JobView job = PollingJob(3);
  Wait(job[0], {.what = WaitFor::kAnything}, 50);
  Wait(job[1], {.what = WaitFor::kAnything}, 40);
  EXPECT_THAT(Causes(job),
              ElementsAre("ranks 0-1 have waited for 50 s in GASNet, for "
                          "something that GASNet does not know; every other "
                          "rank waits or polls"));
}

TEST(Diagnosis, ARankIsNoSuspectOfItsOwnWait) {
  JobView job = PollingJob(2);
  Wait(job[0], {.what = WaitFor::kAnything}, 50);
  job[0].status.process = 'T';
  EXPECT_THAT(Causes(job), ElementsAre(HasSubstr("does not know")));
}

TEST(Diagnosis, CausesComeBeforeUnknownWaits) {
  JobView job = PollingJob(5);
  for (const uint32_t rank : {0, 1, 2}) {
    Wait(job[rank], {.what = WaitFor::kAnything}, 50);
  }
  Wait(job[3], RoomTo(4), 5);
  EXPECT_THAT(Causes(job),
              ElementsAre(HasSubstr("rank 3 (h, pid 103) has waited"),
                          HasSubstr("ranks 0-2 have waited")));
}

// A broken rank may report a peer that does not exist.
TEST(Diagnosis, AWaitForARankThatThereIsNotIsUnknown) {
  JobView job = PollingJob(2);
  for (const uint32_t peer : {2u, kNobody}) {
    job[0].status.waits.clear();
    Wait(job[0], RoomTo(peer), 5);
    EXPECT_THAT(Causes(job), ElementsAre(HasSubstr("does not know")));
  }
}

TEST(Diagnosis, AThousandRanksAreALine) {
  JobView job = PollingJob(1000);
  for (uint32_t rank = 0; rank < 999; ++rank) WaitInBarrier(job[rank], 7, 12);
  job[999].status.barriers = 6;
  Compute(job[999], 13);
  EXPECT_THAT(
      Causes(job),
      ElementsAre("ranks 0-998 have waited for 12 s in gasnet_barrier_wait; "
                  "rank 999 (h, pid 1099) has not come: it has not polled for "
                  "at least 13 s, and is running"));
}

TEST(LongestWaitTest, IsThatOfAnyRank) {
  JobView job = PollingJob(3);
  EXPECT_EQ(LongestWait(job), 0);
  Wait(job[0], RoomTo(1), 5);
  Wait(job[2], RoomTo(1), 4);
  Wait(job[2], RoomTo(1), 7);
  EXPECT_EQ(LongestWait(job), 7 * kNanosPerSecond);
}

}  // namespace
}  // namespace gasnet::job
