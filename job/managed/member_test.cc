#include "job/managed/member.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"

namespace gasnet::job {
namespace {

// A member in a process of its own. The member's rank never joins. The test
// acts as the head.
class MemberTest : public testing::Test {
 protected:
  MemberTest() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                         ends),
              0);
    head_.Reset(ends[0]);
    UniqueFd stream(ends[1]);
    member_ = fork();
    EXPECT_GE(member_, 0);
    if (member_ == 0) RunMember(std::move(stream));
  }

  // Closes the head's end. A member that was not released then kills its rank
  // and ends.
  ~MemberTest() override {
    head_.Reset();
    if (member_ > 0) waitpid(member_, nullptr, 0);
  }

  // Returns a Connect that succeeds only the first time.
  static Member::Connect Once(UniqueFd stream) {
    return [fd = stream.Release()](int) mutable -> absl::StatusOr<UniqueFd> {
      if (fd < 0) return absl::UnavailableError("refused");
      return UniqueFd(std::exchange(fd, -1));
    };
  }

  [[noreturn]] void RunMember(UniqueFd stream) {
    head_.Reset();
    auto member =
        std::make_unique<Member>(0, 2, secret_, Once(std::move(stream)));
    if (!member->Enroll().ok()) _exit(EXIT_FAILURE);
    const auto handoff = member->Start();
    if (!handoff.ok()) _exit(EXIT_FAILURE);
    if (!handoff->has_value()) _exit(member->Run());
    member.reset();
    for (;;) pause();
  }

  void Say(const std::string& bytes) {
    EXPECT_TRUE(WriteFull(head_.get(), bytes.data(), bytes.size()));
  }
  void Say(FrameType type, const Note& note) { Say(EncodeNote(type, note)); }

  // Returns the payload of the next frame of this type. Skips other frames.
  std::string Await(FrameType type) {
    for (;;) {
      Frame frame;
      const FrameReader::Result result = reader_.Next(frame);
      if (result == FrameReader::Result::kFrame && frame.type == type) {
        return std::string(frame.payload);
      }
      if (result == FrameReader::Result::kBad ||
          (result == FrameReader::Result::kNeedMore && !Receive())) {
        ADD_FAILURE() << "the member is gone, or talks nonsense";
        return {};
      }
    }
  }

  bool Receive() {
    pollfd wanted = {.fd = head_.get(), .events = POLLIN, .revents = 0};
    poll(&wanted, 1, -1);
    char bytes[4096];
    const ssize_t got = recv(head_.get(), bytes, sizeof bytes, 0);
    if (got > 0) reader_.Append({bytes, static_cast<size_t>(got)});
    return got > 0;
  }

  std::string PlaceOfMember() {
    MemberHello hello;
    EXPECT_TRUE(DecodeMemberHello(Await(FrameType::kMember), hello));
    reader_.SetLimits(LimitsAfterMember());
    return EncodePlace({.pid = hello.pid, .memory_fd = hello.memory_fd});
  }

  int AwaitStatus(int options) {
    int status = -1;
    EXPECT_EQ(waitpid(member_, &status, options), member_);
    if (!WIFSTOPPED(status)) member_ = 0;
    return status;
  }

  const Secret secret_ = *Secret::Generate();
  UniqueFd head_;
  pid_t member_ = 0;
  FrameReader reader_{LimitsBeforeMember()};
};

TEST_F(MemberTest, TakesWhatComesWithItsPlace) {
  Say(PlaceOfMember() +
      EncodeNote(FrameType::kEndRank, {.bytes = EncodeEnd({.code = 9})}) +
      EncodeNote(FrameType::kSignalGroups, {.value = SIGKILL}));
  Await(FrameType::kStarted);
  Note ended;
  const std::string payload = Await(FrameType::kRankEnded);
  ASSERT_TRUE(DecodeNote(payload, ended));
  EXPECT_TRUE(WIFSIGNALED(static_cast<int>(ended.value)));
  Say(FrameType::kRelease, {.value = 9});
  const int status = AwaitStatus(0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST_F(MemberTest, MayBeStoppedWhileItWaitsForTheOthers) {
  const std::string place = PlaceOfMember();
  ASSERT_EQ(kill(member_, SIGTSTP), 0);
  ASSERT_TRUE(WIFSTOPPED(AwaitStatus(WUNTRACED)));
  ASSERT_EQ(kill(member_, SIGCONT), 0);
  Say(place);
  Await(FrameType::kStarted);
  Say(FrameType::kFinish, {});
  Await(FrameType::kFinished);
  Say(FrameType::kRelease, {});
  const int status = AwaitStatus(0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A head that drops a member's first `drops` connections, and then sends the
// PLACE. Counts the connections.
class DroppingHead {
 public:
  explicit DroppingHead(int drops) : drops_(drops) {}

  absl::StatusOr<UniqueFd> Connect() {
    ++connections_;
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                         ends),
              0);
    UniqueFd mine(ends[0]);
    if (connections_ > drops_) {
      const std::string place =
          EncodePlace({.pid = static_cast<uint32_t>(getpid()), .memory_fd = 0});
      EXPECT_TRUE(WriteFull(mine.get(), place.data(), place.size()));
      kept_ = std::move(mine);
    }
    return UniqueFd(ends[1]);
  }

  int connections() const { return connections_; }

 private:
  const int drops_;
  int connections_ = 0;
  UniqueFd kept_;
};

// Runs in the process of a death test. If the member enrols, the process exits
// with the number of connections that it made.
[[noreturn]] void EnrollAtOneThatDrops(int drops) {
  DroppingHead head(drops);
  Member member(0, 2, *Secret::Generate(), [&](int) { return head.Connect(); });
  if (!member.Enroll().ok()) _exit(100);
  const auto handoff = member.Start();
  if (!handoff.ok()) {
    const std::string why(handoff.status().message());
    fprintf(stderr, "%s\n", why.c_str());
    _exit(101);
  }
  _exit(handoff->has_value() ? 0 : head.connections());
}

TEST(MemberAmongStrangersTest, EnrollsAgainWhenItIsDropped) {
  EXPECT_EXIT(EnrollAtOneThatDrops(1), testing::ExitedWithCode(2), "");
  EXPECT_EXIT(EnrollAtOneThatDrops(3), testing::ExitedWithCode(4), "");
}

TEST(MemberAmongStrangersTest, GivesUpAtLastAndSaysWhy) {
  EXPECT_EXIT(EnrollAtOneThatDrops(1000), testing::ExitedWithCode(101),
              "rank 0 has reached rank 0 6 times, and was dropped each time");
}

TEST(MemberAmongStrangersTest, ConnectsAgainWhereThatMayHelp) {
  const Secret secret = *Secret::Generate();
  std::vector<int> patience;
  Member slow(1, 2, secret, [&](int millis) -> absl::StatusOr<UniqueFd> {
    patience.push_back(millis);
    return absl::DeadlineExceededError("no answer");
  });
  EXPECT_EQ(std::string(slow.Enroll().message()), "no answer (tried 6 times)");
  EXPECT_EQ(patience, (std::vector<int>{250, 500, 1000, 2000, 4000, 8000}));
  int refusals = 0;
  Member refused(1, 2, secret, [&](int) -> absl::StatusOr<UniqueFd> {
    ++refusals;
    return absl::UnavailableError("refused");
  });
  EXPECT_FALSE(refused.Enroll().ok());
  EXPECT_EQ(refusals, 1);
}

}  // namespace
}  // namespace gasnet::job
