// Tests the supervisor with scripted hosts: its calls to the hosts, its
// messages to the user, and its exit code. exit_policy_test.cc tests the phases
// of the end and their times.
#include "job/launch/supervisor.h"

#include <signal.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/launch/supervisor_test_job.h"
#include "job/statistics/job_summary.h"
#include "job/statistics/rank_statistics.h"
#include "job/testing/fake_host.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(SupervisorTest, WelcomesAllWhenTheLastHasJoined) {
  Run(
      [&](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
        h0.ThenJoin(0);
        h0.ThenJoin(2);
        h0.Then([&, this] {
          EXPECT_FALSE(h0_.Has("welcome hosts 010 cpus 48 2"));
          h1.ThenJoin(1);
          ThenExit(observer, h1, 1, 0);
        });
        ThenExit(observer, h0, 0, 0);
        ThenExit(observer, h0, 2, 0);
      },
      /*joins=*/false);
  EXPECT_TRUE(h0_.Has("welcome hosts 010 cpus 48 2"));
  EXPECT_TRUE(h1_.Has("welcome hosts 010 cpus 48 2"));
}

TEST_F(SupervisorTest, AnswersTheCodeAndSaysNothingWhereAllIsWell) {
  const int code = Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    ThenExit(observer, h0, 0, 0);
    ThenExit(observer, h0, 2, 5);
    ThenExit(observer, h1, 1, 0);
  });
  EXPECT_EQ(code, 5);
  EXPECT_EQ(said_, "");
  EXPECT_FALSE(h0_.Has("groups 9"));
  EXPECT_EQ(h0_.calls.back(), "clean");
  EXPECT_EQ(h1_.calls.back(), "clean");
}

TEST_F(SupervisorTest, EndsTheOthersAfterACrashAndNamesTheRank) {
  const int code = Run(
      [](HostObserver&, FakeHost&, FakeHost& h1) { h1.ThenEnd(1, SIGSEGV); });
  EXPECT_EQ(code, 128 + SIGSEGV);
  EXPECT_TRUE(h0_.Has("end 0 code 139"));
  EXPECT_TRUE(h0_.Has("end 2 code 139"));
  EXPECT_FALSE(h1_.Has("end 1 code 139"));
  EXPECT_THAT(said_, HasSubstr("launcher: rank 1 (h1, pid 101) was killed by "
                               "SIGSEGV"));
}

TEST_F(SupervisorTest, CarriesWhatAllGather) {
  Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    const auto part = [&observer](FakeHost& host, uint32_t rank,
                                  const char* bytes) {
      host.Then([&observer, rank, bytes] {
        observer.OnGather(rank, {.sequence = 0, .bytes = bytes});
      });
    };
    part(h0, 2, "cc");
    part(h0, 0, "aa");
    part(h1, 1, "bb");
    ThenExit(observer, h0, 0, 0);
    ThenExit(observer, h0, 2, 0);
    h1.Then([] {});
    ThenExit(observer, h1, 1, 0);
  });
  EXPECT_TRUE(h0_.Has("gathered 0 aabbcc"));
  EXPECT_TRUE(h1_.Has("gathered 0 aabbcc"));
}

TEST_F(SupervisorTest, EndsTheJobWhereARankEndsThatOthersWaitFor) {
  const int code = Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([&observer] { observer.OnGather(0, {.sequence = 0}); });
    h1.Then([] {});
    h1.ThenEnd(1, 0);
  });
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said_, HasSubstr("rank 1 (h1, pid 101) ended while others wait "
                               "for it in gasnet_init, gasnet_attach"));
}

// The message comes once even if several ranks begin to wait in one turn.
TEST_F(SupervisorTest, TellsOnceWhoEndedWhileOthersWaitForIt) {
  const int code = Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([] {});
    h1.ThenEnd(1, 0);
    h0.Then([&observer] {
      observer.OnGather(0, {.sequence = 0});
      observer.OnGather(2, {.sequence = 0});
    });
  });
  EXPECT_EQ(code, 1);
  const size_t first = said_.find("ended while others wait");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(said_.find("ended while others wait", first + 1),
            std::string::npos);
}

TEST_F(SupervisorTest, TellsWhoHasLeftAndLetsTheOthersGoOn) {
  FakeHost::Step exit_when_told;
  const int code =
      Run([&, this](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
        h1.ThenEnd(1, 0);
        exit_when_told = [&, this] {
          if (!h0_.Has("left 1")) return h0.Then(exit_when_told);
          ThenExit(observer, h0, 0, 0);
          ThenExit(observer, h0, 2, 0);
        };
        h0.Then(exit_when_told);
      });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(h1_.Has("left 1"));
  EXPECT_FALSE(h0_.Has("end 0 code 0"));
}

// The last valid report of a rank counts. Rank 0 reports twice, and rank 2
// reports a peer that does not exist.
TEST_F(SupervisorTest, DescribesTheStatisticsOfTheRanksAtTheEnd) {
  int described = 0;
  plan_.describe_statistics = [&described](const JobSummary& summary,
                                           JobPlan::Describe how) {
    EXPECT_EQ(how, JobPlan::Describe::kAtEnd);
    ++described;
    return absl::StrCat("reported ", summary.reported, " of ", summary.ranks,
                        ", elapsed ", summary.times.elapsed, ", wall ",
                        summary.wall > 0, ", groups ", summary.groups.size(),
                        "\n");
  };
  const int code = Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([&observer] {
      observer.OnStatistics(0, {.elapsed = 5});
      observer.OnStatistics(0, {.elapsed = 10});
      observer.OnStatistics(2, {.elapsed = 300, .peers = {{.peer = 3}}});
      observer.OnOutput(0, kStderr, "a line\n");
    });
    ThenExit(observer, h0, 0, 0);
    ThenExit(observer, h0, 2, 0);
    h1.Then([&observer] {
      observer.OnStatistics(1, {.elapsed = 2000, .peers = {{.peer = 2}}});
    });
    ThenExit(observer, h1, 1, 0);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(described, 1);
  EXPECT_EQ(said_, "a line\nreported 2 of 3, elapsed 2010, wall 1, groups 3\n");
}

// Statistics are printed even if the job fails: they may help to explain the
// failure.
TEST_F(SupervisorTest, DescribesTheStatisticsOfAJobThatFails) {
  plan_.describe_statistics = [](const JobSummary& summary, JobPlan::Describe) {
    return absl::StrCat("reported ", summary.reported, "\n");
  };
  const int code = Run(
      [](HostObserver&, FakeHost&, FakeHost& h1) { h1.ThenEnd(1, SIGSEGV); });
  EXPECT_EQ(code, 128 + SIGSEGV);
  EXPECT_THAT(said_, testing::EndsWith("\nreported 0\n"));
}

TEST_F(SupervisorTest, IgnoresStatisticsThatNobodyWants) {
  const int code = Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([&observer] {
      observer.OnStatistics(0, {.elapsed = 5, .peers = {{.peer = 3}}});
    });
    ThenExit(observer, h0, 0, 0);
    ThenExit(observer, h0, 2, 0);
    ThenExit(observer, h1, 1, 0);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said_, "");
}

TEST_F(SupervisorTest, NamesBothBuildsWhereTheyDiffer) {
  const int code = Run(
      [](HostObserver&, FakeHost& h0, FakeHost& h1) {
        h0.ThenJoin(0, "PAR");
        h1.Then([] {});
        h1.ThenJoin(1, "SEQ");
      },
      /*joins=*/false);
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said_, HasSubstr("rank 1 (h1, pid 101) is built with GASNet "
                               "'SEQ' but rank 0 with 'PAR'"));
  EXPECT_THAT(h0_.calls, Not(testing::Contains(HasSubstr("welcome"))));
}

TEST_F(SupervisorTest, LosesTheRanksOfAHostThatFailsAndNamesItOnce) {
  const int code = Run([](HostObserver& observer, FakeHost&, FakeHost& h1) {
    h1.Then([&observer] { observer.OnHostFailed(1, 125, "host h1: gone"); });
  });
  EXPECT_EQ(code, 125);
  EXPECT_EQ(said_, "launcher: host h1: gone\n");
  EXPECT_TRUE(h0_.Has("end 0 code 125"));
  EXPECT_FALSE(h1_.Has("end 1 code 125"));
  // The other ranks end at once, before the supervisor would kill lost ranks.
  EXPECT_FALSE(h0_.Has("groups 9"));
}

TEST_F(SupervisorTest, KillsAtTheSecondSignal) {
  const int code = Run([](HostObserver&, FakeHost& h0, FakeHost& h1) {
    h0.is_obedient = h1.is_obedient = false;
    h0.Then([] { kill(getpid(), SIGTERM); });
    h0.Then([] { kill(getpid(), SIGTERM); });
  });
  EXPECT_EQ(code, 128 + SIGTERM);
  EXPECT_TRUE(h0_.Has("groups 9"));
  EXPECT_TRUE(h1_.Has("groups 9"));
  EXPECT_THAT(said_, HasSubstr("rank 0 (h0, pid 100), rank 1 (h1, pid 101), "
                               "rank 2 (h0, pid 102) did not end in time"));
}

TEST_F(SupervisorTest, PassesAUserSignalOnToTheRanks) {
  Run([](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([] { kill(getpid(), SIGUSR1); });
    h0.Then([] {});
    ThenExit(observer, h0, 0, 0);
    ThenExit(observer, h0, 2, 0);
    h1.Then([] {});
    h1.Then([] {});
    ThenExit(observer, h1, 1, 0);
  });
  EXPECT_TRUE(h0_.Has(absl::StrCat("ranks ", SIGUSR1)));
  EXPECT_TRUE(h1_.Has(absl::StrCat("ranks ", SIGUSR1)));
}

TEST_F(SupervisorTest, EndsARankThatHidesBehindAClosedChannel) {
  const int code = Run([](HostObserver& observer, FakeHost&, FakeHost& h1) {
    h1.Then([&observer] { observer.OnChannelClosed(1, ""); });
  });
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said_, HasSubstr("rank 1 (h1, pid 101) closed its control "
                               "channel but goes on"));
  EXPECT_TRUE(h1_.Has("end 1 code 1"));
}

TEST_F(SupervisorTest, SaysWhyAChannelWasDropped) {
  const int code = Run([](HostObserver& observer, FakeHost&, FakeHost& h1) {
    h1.Then([&observer] { observer.OnChannelClosed(1, "garbage"); });
  });
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said_, HasSubstr("the control channel of rank 1 (h1, pid 101) "
                               "was dropped: garbage"));
}

TEST_F(SupervisorTest, WondersAboutAProgramThatNeverJoins) {
  const int code = Run(
      [](HostObserver&, FakeHost& h0, FakeHost& h1) {
        h0.ThenEnd(0, 0);
        h0.ThenEnd(2, 0);
        h1.ThenEnd(1, 0);
      },
      /*joins=*/false);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said_,
            "launcher: note: a.out never called gasnet_init; is it a GASNet "
            "program, and does it still have the variable GASNET_JOB from its "
            "start ('env -i' and sudo remove it)?\n");
}

TEST_F(SupervisorTest, LeavesNothingWhereAHostCannotStart) {
  Run([](HostObserver&, FakeHost&, FakeHost& h1) {
    h1.start = absl::NotFoundError("no such program");
  });
  EXPECT_TRUE(absl::IsNotFound(start_));
  EXPECT_EQ(h0_.calls.back(), "clean");
  EXPECT_EQ(h1_.calls.back(), "clean");
}

}  // namespace
}  // namespace gasnet::job
