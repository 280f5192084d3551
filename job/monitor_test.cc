#include "job/monitor.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "gtest/gtest.h"
#include "job/control_link.h"
#include "job/testing/launcher_end.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"

namespace gasnet::job {
namespace {

constexpr int kAsExpected = 42;

// A rank with a running monitor, in a death test's process. Either the job ends
// this process, or the process exits with kAsExpected. Only this process has
// the launcher's end of the channel.
class MonitorDeathTest : public testing::Test {
 protected:
  void Start() {
    link_ = launcher_.emplace().Join();
    auto monitor = Monitor::Start(*link_, /*grace_nanos=*/0);
    if (!monitor.ok()) _exit(EXIT_FAILURE);
    // Leaked, because the monitor runs until the process ends.
    monitor->release();
  }

  // Does a gather. The launcher sends `before`, and then the result of the
  // gather.
  void Gather(const std::string& before) {
    std::thread answers([&] {
      if (!launcher_->Next().has_value()) _exit(EXIT_FAILURE);
      launcher_->Send(before + EncodeGather(FrameType::kGathered, {0, "abc"}));
    });
    std::array<char, 3> all = {};
    const std::string mine = "b";
    const bool ok = link_
                        ->Gather(std::as_bytes(std::span(mine)),
                                 std::as_writable_bytes(std::span(all)))
                        .ok();
    answers.join();
    if (!ok || std::string_view(all.data(), all.size()) != "abc") {
      _exit(EXIT_FAILURE);
    }
  }

  std::optional<LauncherEnd> launcher_;
  std::unique_ptr<ControlLink> link_;
};

TEST_F(MonitorDeathTest, EndsTheProcessWithTheCodeOfTheJob) {
  EXPECT_EXIT(
      {
        Start();
        launcher_->Send(EncodeEnd({.code = 7}));
        for (;;) pause();
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(MonitorDeathTest, EndsTheProcessWhenTheLauncherIsGone) {
  EXPECT_EXIT(
      {
        Start();
        launcher_->Close();
        for (;;) pause();
      },
      testing::ExitedWithCode(EXIT_FAILURE), "");
}

TEST_F(MonitorDeathTest, TakesAnEndWithoutACodeForAFailure) {
  EXPECT_EXIT(
      {
        Start();
        launcher_->Send(EncodeFrame(FrameType::kEnd, ""));
        for (;;) pause();
      },
      testing::ExitedWithCode(EXIT_FAILURE), "");
}

TEST_F(MonitorDeathTest, DeliversWhatIsGathered) {
  EXPECT_EXIT(
      {
        Start();
        Gather("");
        _exit(kAsExpected);
      },
      testing::ExitedWithCode(kAsExpected), "");
}

// The monitor also goes on after a frame with invalid contents.
TEST_F(MonitorDeathTest, NotesWhoHasLeft) {
  EXPECT_EXIT(
      {
        Start();
        Gather(EncodeFrame(FrameType::kLeft, "x") + EncodeLeft({1}));
        _exit(link_->HasLeft(1) && !link_->HasLeft(2) ? kAsExpected
                                                      : EXIT_FAILURE);
      },
      testing::ExitedWithCode(kAsExpected), "");
}

// Returns the set of signals that a thread of this process blocks. Reads it
// from /proc.
uint64_t BlockedBy(const std::filesystem::path& task) {
  std::ifstream status(task / "status");
  std::string word;
  while (status >> word && word != "SigBlk:") {
  }
  status >> word;
  return strtoull(word.c_str(), nullptr, 16);
}

std::optional<std::filesystem::path> MonitorTask() {
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    if (name == "gasnet-monitor") return task.path();
  }
  return std::nullopt;
}

// The client's handlers run only on the client's threads.
TEST_F(MonitorDeathTest, BlocksSignalsInItsThreadAndInNoOther) {
  EXPECT_EXIT(
      {
        Start();
        Gather("");  // Ensures that the thread is running.
        uint64_t wanted = 0;
        for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGSEGV}) {
          wanted |= uint64_t{1} << (number - 1);
        }
        const auto task = MonitorTask();
        if (!task.has_value() || (BlockedBy(*task) & wanted) != wanted) {
          _exit(1);
        }
        if ((BlockedBy("/proc/thread-self") & wanted) != 0) _exit(2);
        _exit(kAsExpected);
      },
      testing::ExitedWithCode(kAsExpected), "");
}

// The monitor leaves frames after the last gather to the next monitor.
TEST(MonitorTest, EndsWithTheLastGather) {
  LauncherEnd launcher;
  const std::unique_ptr<ControlLink> link = launcher.Join();
  auto monitor = Monitor::Start(*link, /*grace_nanos=*/0);
  ASSERT_TRUE(monitor.ok());
  const auto answer = [&](uint32_t sequence) {
    return EncodeGather(FrameType::kGathered, {sequence, "abc"});
  };
  std::array<std::byte, 3> all;
  for (const bool last : {false, true}) {
    if (last) link->Suspend();
    link->Contribute(std::as_bytes(std::span("b", 1)));
    launcher.Send(answer(last ? 1 : 0) + (last ? EncodeLeft({1}) : ""));
    EXPECT_TRUE(link->Collect(all).ok());
  }
  monitor->reset();
  EXPECT_FALSE(MonitorTask().has_value());
  EXPECT_FALSE(link->HasLeft(1));

  link->Resume();
  monitor = Monitor::Start(*link, /*grace_nanos=*/0);
  ASSERT_TRUE(monitor.ok());
  link->Suspend();
  link->Contribute({});
  launcher.Send(answer(2));
  monitor->reset();
  EXPECT_TRUE(link->HasLeft(1));
}

}  // namespace
}  // namespace gasnet::job
