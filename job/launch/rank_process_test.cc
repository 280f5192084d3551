#include "job/launch/rank_process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/syscall.h"
#include "gtest/gtest.h"
#include "job/launch/launcher_signals.h"
#include "job/memory/host_memory.h"
#include "job/statistics/rank_statistics.h"
#include "job/testing/pipe.h"
#include "job/testing/rank.h"
#include "job/testing/recorder.h"

namespace gasnet::job {
namespace {

using Events = std::vector<std::string>;

// One rank and the parts of a launcher that the rank needs, with signals
// blocked as in a launcher. A test passes the function that a forked rank runs.
class RankProcessTest : public testing::Test {
 protected:
  RankProcessTest() {
    plan_.size = 2;
    offspring_ = *Offspring::Create(1);
  }

  ~RankProcessTest() override {
    if (rank_ != nullptr) rank_->CleanUp();
    offspring_->CleanUp();
  }

  void Make() {
    surroundings_.emplace(RankSurroundings{.plan = plan_,
                                           .loop = loop_,
                                           .offspring = *offspring_,
                                           .secret = secret_,
                                           .secret_fd = secret_fd_.get(),
                                           .memory_fd = memory_.get(),
                                           .mask = signals_.mask()});
    rank_ = std::make_unique<RankProcess>(0, *surroundings_, recorder_);
  }

  void StartShell(const std::string& script) {
    plan_.program = "/bin/sh";
    plan_.arguments = {"sh", "-c", script};
    Make();
    ASSERT_TRUE(rank_->Start(/*stdin_fd=*/-1).ok());
  }

  void StartFork(const std::function<void(const Handoff&)>& run) {
    Make();
    const auto started = rank_->Start(/*stdin_fd=*/-1);
    ASSERT_TRUE(started.ok());
    if (!started->has_value()) return;
    // A real rank also drops the launcher's state.
    rank_.reset();
    run(**started);
    _exit(EXIT_SUCCESS);
  }

  // Waits until the rank's process has ended, without reaping it.
  void AwaitEnd() const {
    siginfo_t info;
    ASSERT_EQ(RetryOnEintr([&] {
                return waitid(P_PID, static_cast<id_t>(rank_->pid()), &info,
                              WEXITED | WNOWAIT);
              }),
              0);
  }

  void WaitUntil(const std::function<bool()>& holds) {
    while (!holds()) loop_.Wait(kNever);
  }

  std::string Started() const {
    return absl::StrCat("started 0 pid ", rank_->pid());
  }

  const LauncherSignals signals_;
  const Secret secret_ = *Secret::Generate();
  const UniqueFd secret_fd_ = *secret_.ToDescriptor();
  const UniqueFd memory_ = *CreateHostMemory();
  JobPlan plan_;
  EventLoop loop_;
  Recorder recorder_;
  std::unique_ptr<Offspring> offspring_;
  std::optional<RankSurroundings> surroundings_;
  std::unique_ptr<RankProcess> rank_;
};

TEST_F(RankProcessTest, ShowsAPromptThatWaitsOnATerminal) {
  plan_.to_terminal = {true, false};
  TestPipe answer;
  StartFork([&](const Handoff&) {
    if (write(STDOUT_FILENO, "line\nname? ", 11) != 11) _exit(1);
    answer.Await();
    if (write(STDOUT_FILENO, "thanks\n", 7) != 7) _exit(1);
  });
  while (recorder_.output[kStdout] != "line\nname? ") {
    loop_.Wait(rank_->deadline());
    rank_->Expire(NowNanos());
  }
  answer.Say('a');
  AwaitEnd();
  rank_->Poll();
  EXPECT_EQ(recorder_.output[kStdout], "line\nname? thanks\n");
}

// The rank ends before the launcher reads any byte.
TEST_F(RankProcessTest, TellsTheEndAfterAllItPrinted) {
  StartShell("echo out; echo err >&2; exit 3");
  AwaitEnd();
  rank_->Poll();
  EXPECT_EQ(recorder_.events, (Events{Started(), "ended 0 status 768"}));
  EXPECT_EQ(recorder_.output[kStdout], "out\n");
  EXPECT_EQ(recorder_.output[kStderr], "err\n");
}

TEST_F(RankProcessTest, TellsTheEndAfterAllItSaid) {
  StartFork([this](const Handoff& handoff) {
    SayHello(handoff, secret_, 0, getpid());
    Write(handoff, EncodeGather(FrameType::kGather, {0, "part"}));
    Write(handoff, EncodeFrame(FrameType::kStatistics, Encode({.elapsed = 8})));
    const ExitFrame exit = EncodeExit(5);
    Write(handoff, {exit.data(), exit.size()});
  });
  AwaitEnd();
  rank_->Poll();
  ASSERT_EQ(recorder_.events.size(), 6u);
  EXPECT_EQ(recorder_.events[2], "gather 0 number 0 part");
  EXPECT_EQ(recorder_.events[3], "statistics 0 elapsed 8 peers 0");
  EXPECT_EQ(recorder_.events[4], "exit 0 code 5");
  EXPECT_EQ(recorder_.events[5], "ended 0 status 0");
  EXPECT_TRUE(rank_->joined());
}

TEST_F(RankProcessTest, TellsTheEndOnceAndNotBefore) {
  TestPipe go;
  StartFork([&](const Handoff&) {
    go.CloseWriter();
    go.Await();
  });
  rank_->Poll();
  EXPECT_EQ(recorder_.events, Events{Started()});
  go.CloseWriter();
  AwaitEnd();
  rank_->Poll();
  rank_->Poll();
  EXPECT_EQ(recorder_.events, (Events{Started(), "ended 0 status 0"}));
}

// No other process gets the id of an ended process that is not yet reaped.
TEST_F(RankProcessTest, KeepsItsNumberUntilItIsReaped) {
  StartShell("exit 0");
  const pid_t pid = rank_->pid();
  AwaitEnd();
  rank_->Poll();
  EXPECT_EQ(kill(pid, 0), 0);
  rank_->Reap();
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_FALSE(rank_->started());
}

TEST_F(RankProcessTest, DropsTheHelloOfAnotherRank) {
  StartFork([this](const Handoff& handoff) {
    SayHello(handoff, secret_, 1, getpid());
    char end;
    if (ReadFull(handoff.control, &end, 1) != 0) _exit(EXIT_FAILURE);
  });
  WaitUntil([&] { return recorder_.events.size() > 1; });
  EXPECT_EQ(recorder_.events[1].substr(0, 9), "closed 0 ");
  EXPECT_NE(recorder_.events[1], "closed 0 ''");
  EXPECT_FALSE(rank_->joined());
  AwaitEnd();
  rank_->Poll();
  EXPECT_EQ(recorder_.events.back(), "ended 0 status 0");
}

TEST_F(RankProcessTest, TellsOfAChannelThatClosesBeforeTheEnd) {
  TestPipe go;
  StartFork([&](const Handoff& handoff) {
    close(handoff.control);
    go.CloseWriter();
    go.Await();
  });
  WaitUntil([&] { return recorder_.events.size() > 1; });
  EXPECT_EQ(recorder_.events, (Events{Started(), "closed 0 ''"}));
}

// CleanUp kills all remaining processes of the rank's process group.
TEST_F(RankProcessTest, CleanUpKillsItsDescendantsAndTakesTheLastOutput) {
  TestPipe alive, ready;
  StartFork([&](const Handoff&) {
    if (fork() == 0) {
      signal(SIGTERM, SIG_IGN);
      if (write(STDOUT_FILENO, "the last", 8) != 8) _exit(EXIT_FAILURE);
      ready.Say('r');
      for (;;) pause();
    }
  });
  alive.CloseWriter();
  ASSERT_EQ(ready.Await(), 'r');
  AwaitEnd();
  EXPECT_TRUE(rank_->HasOpenOutput());
  rank_->CleanUp();
  EXPECT_FALSE(rank_->HasOpenOutput());
  EXPECT_EQ(recorder_.output[kStdout], "the last\n");
  EXPECT_TRUE(alive.HasEnded());
}

TEST_F(RankProcessTest, TellsItsEndToOneThatHasJoinedByItsChannel) {
  StartFork([this](const Handoff& handoff) {
    signal(SIGTERM, SIG_IGN);
    SayHello(handoff, secret_, 0, getpid());
    char byte;
    _exit(ReadFull(handoff.control, &byte, 1) == 1 ? byte : EXIT_FAILURE);
  });
  WaitUntil([&] { return rank_->joined(); });
  rank_->SendEnd(std::make_shared<const std::string>("\x2a"));
  AwaitEnd();
  rank_->Poll();
  EXPECT_TRUE(recorder_.Has(absl::StrCat("ended 0 status ", 0x2a00)));
}

TEST_F(RankProcessTest, TellsItsEndToOneThatHasNotJoinedBySignal) {
  StartShell("while :; do sleep 1000; done");
  rank_->SendEnd(std::make_shared<const std::string>("\x2a"));
  AwaitEnd();
  rank_->Poll();
  EXPECT_TRUE(recorder_.Has(absl::StrCat("ended 0 status ", SIGTERM)));
}

// A wrapper script started the program. The signal must reach the program, not
// the script.
TEST_F(RankProcessTest, SignalsTheProcessThatJoined) {
  StartFork([this](const Handoff& handoff) {
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, nullptr);
    const pid_t program = fork();
    if (program == 0) {
      SayHello(handoff, secret_, 0, getpid());
      int number = 0;
      sigwait(&usr1, &number);
      _exit(number == SIGUSR1 ? 7 : 8);
    }
    int status = 0;
    waitpid(program, &status, 0);
    sigset_t pending;
    sigpending(&pending);
    _exit(sigismember(&pending, SIGUSR1) != 0 ? 9 : WEXITSTATUS(status));
  });
  WaitUntil([&] { return rank_->joined(); });
  rank_->SignalRank(SIGUSR1);
  AwaitEnd();
  rank_->Poll();
  EXPECT_TRUE(recorder_.Has(absl::StrCat("ended 0 status ", 7 << 8)));
}

// The process id in a HELLO is untrusted.
TEST_F(RankProcessTest, SignalsNoProcessOutsideItsGroup) {
  StartFork([this](const Handoff& handoff) {
    SayHello(handoff, secret_, 0, getppid());
    for (;;) pause();
  });
  WaitUntil([&] { return rank_->joined(); });
  rank_->SignalRank(SIGKILL);
  AwaitEnd();
  rank_->Poll();
  EXPECT_TRUE(recorder_.Has(absl::StrCat("ended 0 status ", SIGKILL)));
}

TEST_F(RankProcessTest, LeavesOutputInThePipeWhileItIsToldTo) {
  TestPipe printed;
  StartFork([&](const Handoff&) {
    if (write(STDOUT_FILENO, "a line\n", 7) != 7) _exit(EXIT_FAILURE);
    printed.Say('p');
    for (;;) pause();
  });
  rank_->SetReading(kStdout, false);
  ASSERT_EQ(printed.Await(), 'p');
  loop_.Wait(NowNanos());
  EXPECT_EQ(recorder_.output[kStdout], "");
  rank_->SetReading(kStdout, true);
  WaitUntil([&] { return !recorder_.output[kStdout].empty(); });
  EXPECT_EQ(recorder_.output[kStdout], "a line\n");
}

TEST_F(RankProcessTest, LabelsLinesAndNotTheEndOfOne) {
  plan_.tag_output = true;
  StartShell("printf 'one\\ntw'; printf 'o\\n'");
  AwaitEnd();
  rank_->Poll();
  EXPECT_EQ(recorder_.output[kStdout], "[0] one\n[0] two\n");
}

// If output is not forwarded, it goes directly to the launcher's stdout and
// stderr.
TEST_F(RankProcessTest, HasNoPipesWhereOutputIsNotForwarded) {
  plan_.forward_output = false;
  StartShell("exit 0");
  EXPECT_FALSE(rank_->HasOpenOutput());
}

TEST_F(RankProcessTest, SaysWhatCannotBeRun) {
  plan_.program = "/dev/null";
  plan_.arguments = {"null"};
  Make();
  const auto started = rank_->Start(/*stdin_fd=*/-1);
  EXPECT_TRUE(absl::IsPermissionDenied(started.status()));
  EXPECT_EQ(recorder_.events, Events{});
  EXPECT_FALSE(rank_->started());
}

}  // namespace
}  // namespace gasnet::job
