#include "job/launch/frame_stream.h"

#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"
#include "job/wire/note.h"

namespace gasnet::job {
namespace {

constexpr int64_t kSilence = 3600 * kNanosPerSecond;
constexpr char kPreamble[] = "\n=preamble=\n";

FrameLimits Limits() {
  return FrameLimits()
      .Allow(FrameType::kRankClosed, 1024)
      .Allow(FrameType::kRankOutput, 4 << 20)
      .Allow(FrameType::kBeat, kNoteBytes);
}

class FrameStreamTest : public testing::Test, public FrameStream::Listener {
 protected:
  FrameStreamTest() {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    peer_.Reset(pair[1]);
    const int out = dup(pair[0]);
    stream_.emplace(UniqueFd(pair[0]), UniqueFd(out), kPreamble, Limits(),
                    kSilence, loop_, *this);
  }

  void OnFrame(const Frame& frame) override {
    Note note;
    EXPECT_TRUE(DecodeNote(frame.payload, note));
    seen_.emplace_back(note.bytes);
  }
  void OnStreamEnd(FrameStream::End end) override {
    EXPECT_FALSE(end_.has_value());
    end_ = end;
  }

  void PeerSends(const std::string& bytes) {
    ASSERT_EQ(write(peer_.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    stream_->Drain();
  }

  std::string Frame(const std::string& text) {
    return EncodeNote(FrameType::kRankOutput, {.bytes = text});
  }

  EventLoop loop_;
  UniqueFd peer_;
  std::optional<FrameStream> stream_;
  std::vector<std::string> seen_;
  std::optional<FrameStream::End> end_;
};

TEST_F(FrameStreamTest, WhatAShellPrintsFirstIsPassedOver) {
  PeerSends("Welcome to this host!\n=gasnetrun");
  PeerSends("-agent\n" + std::string(kPreamble).substr(0, 5));
  PeerSends(std::string(kPreamble).substr(5) + Frame("one") + Frame("two"));
  EXPECT_EQ(seen_, (std::vector<std::string>{"one", "two"}));
}

TEST_F(FrameStreamTest, AShellThatPrintsWithoutEndIsGarbage) {
  const std::string noise(1 << 14, 'x');
  for (int i = 0; i < 64 && !end_.has_value(); ++i) PeerSends(noise);
  EXPECT_EQ(end_, FrameStream::End::kGarbage);
}

TEST_F(FrameStreamTest, BytesOneByOne) {
  for (const char byte : std::string(kPreamble) + Frame("slow")) {
    PeerSends(std::string(1, byte));
  }
  EXPECT_EQ(seen_, (std::vector<std::string>{"slow"}));
}

TEST_F(FrameStreamTest, GarbageEndsIt) {
  PeerSends(absl::StrCat(kPreamble, "this is not a frame"));
  EXPECT_EQ(end_, FrameStream::End::kGarbage);
  EXPECT_FALSE(stream_->is_open());
}

TEST_F(FrameStreamTest, AFrameFromTheWrongSideEndsIt) {
  PeerSends(std::string(kPreamble) + EncodeNote(FrameType::kFinish, {}));
  EXPECT_EQ(end_, FrameStream::End::kGarbage);
}

TEST_F(FrameStreamTest, ThePeerCloses) {
  PeerSends(std::string(kPreamble) + Frame("last"));
  peer_.Reset();
  stream_->Drain();
  EXPECT_EQ(seen_, (std::vector<std::string>{"last"}));
  EXPECT_EQ(end_, FrameStream::End::kClosed);
}

TEST_F(FrameStreamTest, SilenceEndsIt) {
  const int64_t late = NowNanos() + kSilence;
  stream_->Expire(late - kSilence / 2);
  EXPECT_FALSE(end_.has_value());
  stream_->Expire(late);
  EXPECT_EQ(end_, FrameStream::End::kSilent);
}

TEST_F(FrameStreamTest, SilenceOfAStoppedPeerDoesNot) {
  stream_->Suspend();
  EXPECT_EQ(stream_->deadline(), kNever);
  stream_->Expire(NowNanos() + 2 * kSilence);
  EXPECT_FALSE(end_.has_value());
  stream_->Resume();
  EXPECT_LE(stream_->deadline(), NowNanos() + kSilence);
}

TEST_F(FrameStreamTest, WithoutTwoBeatsItIsOverdue) {
  const int64_t now = NowNanos();
  EXPECT_FALSE(stream_->IsOverdue(now + kSilence / 3));
  EXPECT_TRUE(stream_->IsOverdue(now + kSilence * 2 / 3));
  stream_->Close();
  EXPECT_TRUE(stream_->IsOverdue(now));
}

TEST_F(FrameStreamTest, AnExcusedPeerHasTheTimeOfABeat) {
  const int64_t late = NowNanos() + 10 * kSilence;
  stream_->Excuse(late);
  stream_->Expire(late + kSilence / 5);
  EXPECT_FALSE(end_.has_value());
  stream_->Expire(late + kSilence / 4);
  EXPECT_EQ(end_, FrameStream::End::kSilent);
}

TEST_F(FrameStreamTest, AnExcuseShortensNothing) {
  const int64_t now = NowNanos();
  stream_->Excuse(now);
  stream_->Expire(now + kSilence / 2);
  EXPECT_FALSE(end_.has_value());
}

TEST_F(FrameStreamTest, BeatsAreSentAndAreNoFrames) {
  stream_->Expire(NowNanos() + kSilence / 3);
  char beat[64];
  EXPECT_EQ(read(peer_.get(), beat, sizeof beat),
            static_cast<ssize_t>(kFrameHeaderBytes + 8));
  PeerSends(std::string(kPreamble) + EncodeNote(FrameType::kBeat, {}));
  EXPECT_TRUE(seen_.empty());
}

TEST_F(FrameStreamTest, WhatThePeerDoesNotTakeWaits) {
  const std::string frame = Frame(std::string(1 << 20, 'y'));
  for (int i = 0; i < 4; ++i) stream_->Send(frame);
  EXPECT_GT(stream_->backlog(), 0u);
  std::string got;
  while (got.size() < 4 * frame.size()) {
    char bytes[1 << 16];
    const ssize_t count = read(peer_.get(), bytes, sizeof bytes);
    ASSERT_GT(count, 0);
    got.append(bytes, static_cast<size_t>(count));
    loop_.Wait(NowNanos());
  }
  EXPECT_EQ(got, frame + frame + frame + frame);
  EXPECT_EQ(stream_->backlog(), 0u);
}

}  // namespace
}  // namespace gasnet::job
