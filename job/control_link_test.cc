#include "job/control_link.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "job/statistics/rank_statistics.h"
#include "job/testing/launcher_end.h"
#include "job/testing/thread_state.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

const std::string kProof(Secret::kProofBytes, 'p');

absl::StatusOr<std::unique_ptr<ControlLink>> Join(LauncherEnd& launcher) {
  Welcome welcome;
  return ControlLink::Join(launcher.TakeRankEnd(), {.proof = kProof}, welcome);
}

// Gathers `mine` on a thread of its own. The test acts as the monitor thread.
class Gathering {
 public:
  Gathering(ControlLink& link, std::string mine, size_t all_bytes)
      : mine_(std::move(mine)), all_(all_bytes, '-'), client_([this, &link] {
          thread_ = gettid();
          status_ = link.Gather(std::as_bytes(std::span(mine_)),
                                std::as_writable_bytes(std::span(all_)));
          has_returned_ = true;
        }) {}

  // Returns true once the gathering thread sleeps, false if Gather has
  // returned.
  bool IsWaiting() const {
    while (!has_returned_) {
      if (StateOf(thread_) == 'S') return true;
      sched_yield();
    }
    return false;
  }
  const std::string& Await() {
    client_.join();
    return all_;
  }
  const absl::Status& status() const { return status_; }

 private:
  const std::string mine_;
  std::string all_;
  absl::Status status_;
  std::atomic<pid_t> thread_{0};
  std::atomic<bool> has_returned_{false};
  std::thread client_;
};

TEST(ControlLinkDeathTest, EndsWithTheJobThatEndsBeforeItBegins) {
  LauncherEnd launcher, broken;
  launcher.Send(EncodeEnd({.code = 7}));
  EXPECT_EXIT(static_cast<void>(Join(launcher)), testing::ExitedWithCode(7),
              "");
  broken.Send(EncodeFrame(FrameType::kEnd, "no code"));
  EXPECT_EXIT(static_cast<void>(Join(broken)),
              testing::ExitedWithCode(EXIT_FAILURE), "");
}

TEST(ControlLinkDeathTest, SendsNothingToAFileThatTookItsNumber) {
  LauncherEnd launcher;
  UniqueFd channel = launcher.TakeRankEnd();
  const int number = channel.get();
  launcher.Send(EncodeWelcome(LauncherEnd::ToAll()));
  Welcome welcome;
  const auto link =
      ControlLink::Join(std::move(channel), {.proof = kProof}, welcome);
  ASSERT_TRUE(link.ok());
  EXPECT_DEATH(
      {
        dup2(open("/dev/null", O_WRONLY), number);
        (*link)->SendExit(1);
      },
      "closed descriptor .* which GASNet had opened");
}

TEST(ControlLinkTest, SaysHelloAndTakesTheWelcome) {
  LauncherEnd launcher;
  launcher.Send(EncodeWelcome(LauncherEnd::ToAll()));
  Welcome welcome;
  const auto link = ControlLink::Join(
      launcher.TakeRankEnd(),
      {.proof = kProof, .rank = 2, .pid = 99, .config = "PAR"}, welcome);
  ASSERT_TRUE(link.ok()) << link.status();
  EXPECT_EQ(welcome.host_of, LauncherEnd::ToAll().host_of);
  EXPECT_EQ(welcome.host_cpus, LauncherEnd::ToAll().host_cpus);
  EXPECT_EQ(welcome.environment, LauncherEnd::ToAll().environment);

  const std::optional<Frame> frame = launcher.Next();
  ASSERT_TRUE(frame.has_value());
  Hello hello;
  ASSERT_TRUE(DecodeHello(frame->payload, hello));
  EXPECT_EQ(hello.proof, kProof);
  EXPECT_EQ(hello.rank, 2u);
  EXPECT_EQ(hello.pid, 99u);
  EXPECT_EQ(hello.config, "PAR");
}

TEST(ControlLinkTest, RefusesAWelcomeThatMakesNoSense) {
  LauncherEnd launcher;
  launcher.Send(EncodeWelcome({.host_of = {0, 2}, .host_cpus = {1, 1}}));
  EXPECT_EQ(Join(launcher).status().code(), absl::StatusCode::kDataLoss);
}

TEST(ControlLinkTest, NeedsALauncher) {
  LauncherEnd launcher;
  launcher.Close();
  EXPECT_EQ(Join(launcher).status().code(), absl::StatusCode::kUnavailable);
}

TEST(ControlLinkTest, GathersWhatTheLauncherAnswers) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  for (uint32_t sequence = 0; sequence < 3; ++sequence) {
    Gathering gathering(*link, "b", 3);
    const std::optional<Frame> frame = launcher.Next();
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->type, FrameType::kGather);
    GatherPart part;
    ASSERT_TRUE(DecodeGather(frame->payload, part));
    EXPECT_EQ(part.sequence, sequence);
    EXPECT_EQ(part.bytes, "b");
    link->DeliverGathered({sequence, "abc"});
    EXPECT_EQ(gathering.Await(), "abc");
    EXPECT_TRUE(gathering.status().ok()) << gathering.status();
  }
}

TEST(ControlLinkTest, IgnoresResultsThatNobodyWaitsFor) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  link->DeliverGathered({0, "too early"});
  Gathering gathering(*link, "b", 3);
  ASSERT_TRUE(launcher.Next().has_value());
  ASSERT_TRUE(gathering.IsWaiting());
  link->DeliverGathered({1, "of another"});
  EXPECT_TRUE(gathering.IsWaiting());
  link->DeliverGathered({0, "abc"});
  link->DeliverGathered({0, "again"});
  EXPECT_EQ(gathering.Await(), "abc");
  EXPECT_TRUE(gathering.status().ok()) << gathering.status();
}

TEST(ControlLinkTest, RefusesAResultOfAnotherLength) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  for (const uint32_t sequence : {0u, 1u}) {
    Gathering gathering(*link, "b", 3);
    ASSERT_TRUE(launcher.Next().has_value());
    link->DeliverGathered({sequence, sequence == 0 ? "abcd" : "ab"});
    EXPECT_EQ(gathering.Await(), "---");
    EXPECT_EQ(gathering.status().code(), absl::StatusCode::kInternal);
  }
}

// A process's exit status has only the low eight bits of the exit code.
TEST(ControlLinkTest, SendsTheFirstExitAlone) {
  LauncherEnd launcher;
  {
    const auto link = launcher.Join();
    link->SendExit(256 + 3);
    link->SendExit(4);
    link->SendLeaving();
  }
  EXPECT_EQ(launcher.NextExit(), 3);
  EXPECT_EQ(launcher.NextExit(), kLeavesByExit);
  EXPECT_FALSE(launcher.Next().has_value());
}

TEST(ControlLinkTest, SendsStatisticsInOneFrameBeforeTheExit) {
  LauncherEnd launcher;
  const RankStatistics statistics = {
      .elapsed = 7, .peers = {{.peer = 1, .operations = 2, .bytes = 3}}};
  {
    const auto link = launcher.Join();
    link->SendStatistics(Encode(statistics));
    link->SendExit(3);
  }
  const std::optional<Frame> frame = launcher.Next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->type, FrameType::kStatistics);
  RankStatistics decoded;
  ASSERT_TRUE(Decode(frame->payload, decoded));
  EXPECT_EQ(decoded, statistics);
  EXPECT_EQ(launcher.NextExit(), 3);
}

TEST(ControlLinkTest, KnowsWhoHasLeft) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  EXPECT_FALSE(link->HasLeft(0) || link->HasLeft(1) || link->HasLeft(2));
  link->NoteLeft({2, 3, UINT32_MAX, 0});
  EXPECT_TRUE(link->HasLeft(0));
  EXPECT_FALSE(link->HasLeft(1));
  EXPECT_TRUE(link->HasLeft(2));
}

TEST(ControlLinkTest, ReceivesUntilTheChannelEnds) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  const std::string left = EncodeLeft({1});
  launcher.Send(left + EncodeEnd({.code = 3}) + left.substr(0, 5));
  launcher.Close();
  Frame frame;
  ASSERT_TRUE(link->Receive(frame));
  EXPECT_EQ(frame.type, FrameType::kLeft);
  ASSERT_TRUE(link->Receive(frame));
  EXPECT_EQ(frame.type, FrameType::kEnd);
  EXPECT_FALSE(link->Receive(frame));
}

// The second WELCOME is garbage, since a launcher sends only one.
TEST(ControlLinkTest, ReceivesNothingBehindGarbage) {
  LauncherEnd launcher;
  const auto link = launcher.Join();
  launcher.Send(EncodeWelcome(LauncherEnd::ToAll()) + EncodeEnd({}));
  Frame frame;
  EXPECT_FALSE(link->Receive(frame));
  EXPECT_FALSE(link->Receive(frame));
}

}  // namespace
}  // namespace gasnet::job
