#include "job/launch/host_ranks.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/syscall.h"
#include "gtest/gtest.h"
#include "job/launch/launcher_signals.h"
#include "job/testing/pipe.h"
#include "job/testing/rank.h"
#include "job/testing/recorder.h"

namespace gasnet::job {
namespace {

// The host of ranks 0 and 2 of a job of three. The ranks are forked, and run
// the function that the test gives.
class HostRanksTest : public testing::Test {
 protected:
  HostRanksTest() {
    plan_.size = 3;
    plan_.host_of = {0, 1, 0};
    offspring_ = *Offspring::Create(2);
  }

  ~HostRanksTest() override {
    if (host_ != nullptr) host_->CleanUp();
    offspring_->CleanUp();
  }

  void Start(const std::function<void(const Handoff&)>& run) {
    auto made = HostRanks::Create({.plan = plan_,
                                   .secret = secret_,
                                   .mask = signals_.mask(),
                                   .loop = loop_,
                                   .offspring = *offspring_},
                                  0, recorder_);
    ASSERT_TRUE(made.ok());
    host_ = *std::move(made);
    const auto started = host_->Start();
    ASSERT_TRUE(started.ok());
    if (!started->has_value()) return;
    host_.reset();
    run(**started);
    _exit(EXIT_SUCCESS);
  }

  // Polls the ranks, since the loop of this test does not report the end of a
  // process.
  void WaitForEnd(const std::string& event) {
    while (!recorder_.Has(event)) host_->PollAll();
  }

  const LauncherSignals signals_;
  const Secret secret_ = *Secret::Generate();
  JobPlan plan_;
  EventLoop loop_;
  Recorder recorder_;
  std::unique_ptr<Offspring> offspring_;
  std::unique_ptr<HostRanks> host_;
};

TEST_F(HostRanksTest, HasTheRanksOfItsHostAlone) {
  Start([](const Handoff& handoff) {
    _exit(static_cast<int>(10 * handoff.size + handoff.rank));
  });
  EXPECT_EQ(RanksOnHost(plan_, 0), 2u);
  EXPECT_EQ(RanksOnHost(plan_, 1), 1u);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(host_->Has(rank), rank == 0 || rank == 2) << rank;
  }
  WaitForEnd(absl::StrCat("ended 0 status ", 30 << 8));
  WaitForEnd(absl::StrCat("ended 2 status ", 32 << 8));
  EXPECT_EQ(recorder_.events.size(), 4u);
}

// Sends one byte as a frame. A rank that has not joined gets SIGTERM instead.
// That rank then checks that it has received no byte.
TEST_F(HostRanksTest, SendsToThoseThatHaveJoined) {
  TestPipe ready;
  Start([&](const Handoff& handoff) {
    char byte = '\0';
    if (handoff.rank == 0) {
      SayHello(handoff, secret_, 0, getpid());
      _exit(ReadFull(handoff.control, &byte, 1) == 1 ? byte : 1);
    }
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, nullptr);
    ready.Say('r');
    int number = 0;
    sigwait(&end, &number);
    _exit(recv(handoff.control, &byte, 1, MSG_DONTWAIT) > 0 ? 3 : 4);
  });
  ASSERT_EQ(ready.Await(), 'r');
  while (recorder_.events.size() < 3) loop_.Wait(kNever);
  host_->SendToAll(std::make_shared<const std::string>("\x2a"));
  host_->SendEnd(2, std::make_shared<const std::string>("\x2b"));
  WaitForEnd(absl::StrCat("ended 0 status ", 0x2a << 8));
  WaitForEnd(absl::StrCat("ended 2 status ", 4 << 8));
}

TEST_F(HostRanksTest, IsCleanWhenNothingIsLeft) {
  TestPipe alive, ready;
  Start([&](const Handoff&) {
    signal(SIGTERM, SIG_IGN);
    ready.Say('r');
    for (;;) pause();
  });
  alive.CloseWriter();
  ASSERT_EQ(ready.Await(), 'r');
  ASSERT_EQ(ready.Await(), 'r');
  EXPECT_FALSE(host_->IsClean());
  EXPECT_TRUE(host_->HasOpenOutput());
  host_->CleanUp();
  EXPECT_TRUE(host_->IsClean());
  EXPECT_FALSE(host_->HasOpenOutput());
  EXPECT_TRUE(alive.HasEnded());
}

}  // namespace
}  // namespace gasnet::job
