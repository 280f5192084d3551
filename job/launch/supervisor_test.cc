// The supervisor over scripted hosts: its calls to them, its messages to the
// user, and the code that it returns. ExitPolicy has the phases of the end and
// their times (exit_policy_test.cc).
#include "job/launch/supervisor.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/status/status_socket_name.h"
#include "job/status/testing/job_view.h"
#include "job/testing/fake_host.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;
using testing::Not;

// Three ranks: 0 and 2 on the host h0, 1 on h1.
class SupervisorTest : public testing::Test {
 protected:
  using Script = std::function<void(HostObserver&, FakeHost&, FakeHost&)>;

  SupervisorTest() {
    plan_.name = "launcher";
    plan_.program = "a.out";
    plan_.size = 3;
    plan_.host_of = {0, 1, 0};
    plan_.environment = {"A=1", "B=2"};
  }

  // Runs a job. Ranks start and, unless a test does it itself, join.
  int Run(const Script& script, bool joins = true) {
    return RunHosts([&](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
      StartAll(h0, h1, joins);
      script(observer, h0, h1);
    });
  }

  // Runs a job that is a script as a whole.
  int RunHosts(const Script& script) {
    testing::internal::CaptureStderr();
    int code = -1;
    {
      Supervisor supervisor(
          plan_, [&](const HostSurroundings&, HostObserver& observer) {
            return MakeHosts(observer, script);
          });
      const auto started = supervisor.Start();
      start_ = started.status();
      if (started.ok()) code = supervisor.Run();
    }
    said_ = testing::internal::GetCapturedStderr();
    return code;
  }

  static void StartAll(FakeHost& first, FakeHost& second, bool joins) {
    first.ThenStart(0);
    first.ThenStart(2);
    second.ThenStart(1);
    // Each host has the same number of steps.
    second.Then([] {});
    if (!joins) return;
    first.ThenJoin(0);
    first.ThenJoin(2);
    second.ThenJoin(1);
    second.Then([] {});
  }

  Hosts MakeHosts(HostObserver& observer, const Script& script) {
    auto first = std::make_unique<FakeHost>(0, 4, observer, h0_);
    auto second = std::make_unique<FakeHost>(1, 8, observer, h1_);
    script(observer, *first, *second);
    Hosts hosts;
    hosts.push_back(std::move(first));
    hosts.push_back(std::move(second));
    return hosts;
  }

  JobPlan plan_;
  FakeHost::Record h0_, h1_;
  absl::Status start_;
  std::string said_;
};

// A rank calls gasnet_exit, and its process ends.
void ThenExit(HostObserver& observer, FakeHost& host, uint32_t rank, int code) {
  host.Then([&observer, rank, code] { observer.OnExit(rank, code); });
  host.ThenEnd(rank, code << 8);
}

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

// Also if several ranks begin to wait in one turn.
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
  // The others end at once, and nobody waits until the lost ones would be
  // killed.
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
            "program, and has it the variable GASNET_JOB that it was started "
            "with ('env -i' and sudo take it away)?\n");
}

TEST_F(SupervisorTest, LeavesNothingWhereAHostCannotStart) {
  Run([](HostObserver&, FakeHost&, FakeHost& h1) {
    h1.start = absl::NotFoundError("no such program");
  });
  EXPECT_TRUE(absl::IsNotFound(start_));
  EXPECT_EQ(h0_.calls.back(), "clean");
  EXPECT_EQ(h1_.calls.back(), "clean");
}

// Jobs in which rank 0 waits for rank 1. All join in the first turn. Unless a
// test wants it, they do not say by themselves that they are stuck.
class StuckJobTest : public SupervisorTest {
 protected:
  StuckJobTest() { setenv("GASNET_STALL_REPORT", "0", 1); }
  ~StuckJobTest() override { unsetenv("GASNET_STALL_REPORT"); }

  int RunStuck(const Script& script) {
    return RunHosts([&](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
      h0.ThenStartAndJoin({0, 2});
      h1.ThenStartAndJoin({1});
      const RankStatus polls = PollingJob(1)[0].status;
      h0.statuses = {{0, polls}, {2, polls}};
      h1.statuses = {{1, polls}};
      AddWait(h0.statuses[0],
              {.waiting = RoomTo(1), .nanos = 100 * kNanosPerSecond});
      script(observer, h0, h1);
    });
  }

  // All ranks call gasnet_exit, once the launcher has asked how they fare.
  void ThenExitWhenAsked(HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    exit_when_asked_ = [&, this] {
      if (!h0_.Has("ask status")) return h0.Then(exit_when_asked_);
      ThenExit(observer, h0, 0, 0);
      ThenExit(observer, h0, 2, 0);
      ThenExit(observer, h1, 1, 0);
    };
    h0.Then(exit_when_asked_);
  }

  // Returns true if h0 got the first of these calls, and later the second.
  bool IsBefore(const std::string& first, const std::string& second) const {
    const auto at = std::find(h0_.calls.begin(), h0_.calls.end(), first);
    return std::find(at, h0_.calls.end(), second) != h0_.calls.end();
  }

  static constexpr char kCause[] =
      "launcher: rank 0 (h0, pid 100) has waited for 100 s for room to send to "
      "rank 1; rank 1 (h1, pid 101) ";
  FakeHost::Step exit_when_asked_;
};

TEST_F(StuckJobTest, SaysItsStatusOnASignal) {
  const int code =
      RunStuck([&, this](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
        h0.Then([] { kill(getpid(), SIGUSR2); });
        ThenExitWhenAsked(observer, h0, h1);
      });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said_, std::string("launcher: 3 ranks: 1 waiting in GASNet, 0 not "
                               "serving it, 2 polling\n") +
                       kCause + "polls\n");
  EXPECT_TRUE(IsBefore("ask polls", "ask status"));
  EXPECT_FALSE(h0_.Has(absl::StrCat("ranks ", SIGUSR2)));
}

TEST_F(StuckJobTest, SaysByItselfThatItIsStuck) {
  setenv("GASNET_STALL_REPORT", "0.01", 1);
  const int code =
      RunStuck([&, this](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
        ThenExitWhenAsked(observer, h0, h1);
      });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said_, std::string(kCause) + "polls\n");
}

TEST_F(StuckJobTest, SaysNothingAtAnEndOfItsOwn) {
  const int code = RunStuck([](HostObserver& observer, FakeHost&,
                               FakeHost& h1) { ThenExit(observer, h1, 1, 3); });
  EXPECT_EQ(code, 3);
  EXPECT_TRUE(h0_.Has("end 0 code 3"));
  EXPECT_EQ(said_, "");
  EXPECT_FALSE(h0_.Has("ask status"));
}

TEST_F(StuckJobTest, SaysWhatHeldItUpWhenItsTimeIsOver) {
  plan_.timeout_nanos = 1;
  EXPECT_EQ(RunStuck([](HostObserver&, FakeHost&, FakeHost&) {}), 124);
  EXPECT_THAT(said_, HasSubstr("s is over; ending the job\n"));
  EXPECT_THAT(said_, testing::EndsWith(std::string(kCause) + "polls\n"));
  EXPECT_TRUE(IsBefore("ask polls", "ask status"));
  EXPECT_TRUE(IsBefore("ask status", "end 0 code 124"));
  EXPECT_EQ(h0_.Count("end 0 code 124"), 1);
}

TEST_F(StuckJobTest, SaysWhatHeldItUpWhenASignalEndsIt) {
  const int code = RunStuck([](HostObserver&, FakeHost& h0, FakeHost&) {
    h0.Then([] { kill(getpid(), SIGINT); });
  });
  EXPECT_EQ(code, 128 + SIGINT);
  EXPECT_EQ(said_, std::string(kCause) + "polls\n");
  EXPECT_TRUE(IsBefore("ask status", absl::StrCat("end 0 code ", code)));
}

TEST_F(StuckJobTest, SaysWhatHeldItUpWhenARankCrashes) {
  const int code = RunStuck(
      [](HostObserver&, FakeHost&, FakeHost& h1) { h1.ThenEnd(1, SIGSEGV); });
  EXPECT_EQ(code, 128 + SIGSEGV);
  EXPECT_THAT(said_, HasSubstr("was killed by SIGSEGV"));
  EXPECT_THAT(said_, HasSubstr(std::string(kCause) + "has ended\n"));
  EXPECT_TRUE(IsBefore("ask status", absl::StrCat("end 0 code ", code)));
}

TEST_F(StuckJobTest, AnswersOtherProcessesOfItsUser) {
  std::string answer;
  const UniqueFd client(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  FakeHost::Step read_answer;
  RunStuck([&](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    h0.Then([&] {
      const StatusSocketAddress address(StatusSocketName(geteuid(), getpid()));
      ASSERT_EQ(connect(client.get(), address.get(), address.size), 0);
      ASSERT_EQ(send(client.get(), "json", 4, 0), 4);
    });
    read_answer = [&] {
      char bytes[4096];
      const ssize_t got = recv(client.get(), bytes, sizeof bytes, 0);
      if (got > 0) answer.append(bytes, static_cast<size_t>(got));
      if (got != 0) return h0.Then(read_answer);
      ThenExit(observer, h0, 0, 0);
      ThenExit(observer, h0, 2, 0);
      ThenExit(observer, h1, 1, 0);
    };
    h0.Then(read_answer);
  });
  EXPECT_THAT(answer, testing::StartsWith("{\"causes\": [\"rank 0 (h0, pid "));
  EXPECT_THAT(answer, testing::EndsWith("}]}\n"));
  EXPECT_EQ(said_, "");
}

}  // namespace
}  // namespace gasnet::job
