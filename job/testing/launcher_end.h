// For tests: the launcher's end of a rank's control channel. With it, a test
// plays the launcher of a job of three ranks on two hosts.
#ifndef JOB_TESTING_LAUNCHER_END_H_
#define JOB_TESTING_LAUNCHER_END_H_

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/control_link.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class LauncherEnd {
 public:
  LauncherEnd() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    own_.Reset(ends[0]);
    rank_.Reset(ends[1]);
  }

  UniqueFd TakeRankEnd() { return std::move(rank_); }

  void Send(std::string_view frame) const {
    EXPECT_TRUE(WriteFull(own_.get(), frame.data(), frame.size()));
  }
  void Close() { own_.Reset(); }

  // Returns the rank's next frame, valid until the next call. Returns nothing
  // if the channel has ended, or if the rank has sent an illegal frame.
  std::optional<Frame> Next() {
    Frame frame;
    FrameReader::Result result;
    while ((result = reader_.Next(frame)) == FrameReader::Result::kNeedMore) {
      char bytes[4096];
      const ssize_t got =
          RetryOnEintr([&] { return read(own_.get(), bytes, sizeof bytes); });
      if (got <= 0) return std::nullopt;
      reader_.Append({bytes, static_cast<size_t>(got)});
    }
    if (result == FrameReader::Result::kBad) return std::nullopt;
    reader_.SetLimits(LimitsAfterHello());
    return frame;
  }

  // Returns true if the rank has sent bytes that Next has not read.
  bool HasMore() const {
    pollfd end = {.fd = own_.get(), .events = POLLIN, .revents = 0};
    return poll(&end, 1, /*timeout=*/0) == 1;
  }

  // Returns the code of the next frame if the frame is an EXIT.
  std::optional<int32_t> NextExit() {
    const std::optional<Frame> frame = Next();
    int32_t code = 0;
    if (!frame.has_value() || frame->type != FrameType::kExit ||
        !DecodeExit(frame->payload, code)) {
      return std::nullopt;
    }
    return code;
  }

  static Welcome ToAll() {
    return {.host_of = {0, 1, 0}, .host_cpus = {2, 4}, .environment = {"A=1"}};
  }

  // Joins a rank and reads its HELLO. Returns the rank's link.
  std::unique_ptr<ControlLink> Join() {
    Send(EncodeWelcome(ToAll()));
    const std::string proof(Secret::kProofBytes, 'p');
    Welcome welcome;
    auto link = ControlLink::Join(TakeRankEnd(), {.proof = proof}, welcome);
    EXPECT_TRUE(link.ok()) << link.status();
    EXPECT_TRUE(Next().has_value());
    return *std::move(link);
  }

 private:
  UniqueFd own_;
  UniqueFd rank_;
  FrameReader reader_{LimitsBeforeHello()};
};

}  // namespace gasnet::job

#endif  // JOB_TESTING_LAUNCHER_END_H_
