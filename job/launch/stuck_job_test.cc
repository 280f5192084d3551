// Tests the supervisor's messages about a job that is stuck.
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/launch/supervisor_test_job.h"
#include "job/status/status_socket_name.h"
#include "job/status/testing/job_view.h"
#include "job/testing/fake_host.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;

// Jobs in which rank 0 waits for rank 1. All ranks join in the first turn.
// Periodic stall reports are off by default.
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

  // Makes all ranks call gasnet_exit once the launcher has asked for their
  // status.
  void ThenExitWhenAsked(HostObserver& observer, FakeHost& h0, FakeHost& h1) {
    exit_when_asked_ = [&, this] {
      if (!h0_.Has("ask status")) return h0.Then(exit_when_asked_);
      ThenExit(observer, h0, 0, 0);
      ThenExit(observer, h0, 2, 0);
      ThenExit(observer, h1, 1, 0);
    };
    h0.Then(exit_when_asked_);
  }

  // Returns true if h0 got `first` before `second`.
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
