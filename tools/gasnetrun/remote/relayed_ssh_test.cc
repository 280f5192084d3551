#include "tools/gasnetrun/remote/relayed_ssh.h"

#include <signal.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

constexpr uint32_t kNumber = 7;

struct Sent {
  FrameType type;
  uint32_t value;
  std::string bytes;
};

class RelayedSshTest : public testing::Test {
 protected:
  RelayedSshTest() {
    signal(SIGPIPE, SIG_IGN);
    EXPECT_TRUE(ssh_.Start({"ssh", "host"}).ok());
    input_ = ssh_.TakeInput();
    output_ = ssh_.TakeOutput();
  }

  bool Take(FrameType type, std::string_view bytes, uint32_t value = 0) {
    return ssh_.TakeNote(type, {.value = value, .bytes = bytes});
  }

  std::string Output() {
    char bytes[1024];
    const ssize_t got = ReadFull(output_.get(), bytes, sizeof bytes);
    return got < 0 ? "error" : std::string(bytes, static_cast<size_t>(got));
  }

  job::EventLoop loop_;
  std::vector<Sent> sent_;
  std::vector<std::string> lines_;
  RelayedSsh ssh_{
      kNumber, 1, loop_,
      [this](FrameType type, const Note& note) {
        EXPECT_EQ(note.rank, kNumber);
        sent_.push_back({type, note.value, std::string(note.bytes)});
      },
      [this](std::string_view line) { lines_.emplace_back(line); }};
  UniqueFd input_;
  UniqueFd output_;
};

TEST_F(RelayedSshTest, AsksForTheCommand) {
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0].type, FrameType::kRelayStart);
  std::vector<std::string> words;
  EXPECT_TRUE(DecodeWords(sent_[0].bytes, words));
  EXPECT_EQ(words, (std::vector<std::string>{"ssh", "host"}));
}

TEST_F(RelayedSshTest, ItsWindowHasRoomForAllHostsThatAreReachedThroughIt) {
  EXPECT_EQ(sent_[0].value, kRelayWindow);
  uint32_t asked = 0;
  RelayedSsh ssh(
      kNumber, 3, loop_,
      [&asked](FrameType, const Note& note) { asked = note.value; },
      [](std::string_view) {});
  ASSERT_TRUE(ssh.Start({"ssh"}).ok());
  EXPECT_EQ(asked, 3 * kRelayWindow);
  EXPECT_FALSE(ssh.TakeNote(
      FrameType::kRelayData,
      {.rank = kNumber, .bytes = std::string(3 * kRelayWindow + 1, 'x')}));
}

TEST_F(RelayedSshTest, TheOwnerIsHeardAndItsEnd) {
  ASSERT_TRUE(WriteFull(input_.get(), "said", 4));
  EXPECT_FALSE(ssh_.HasSentAll());
  input_.Reset();
  while (sent_.back().type != FrameType::kRelayData ||
         !sent_.back().bytes.empty()) {
    loop_.Wait(kNever);
  }
  EXPECT_TRUE(ssh_.HasSentAll());
  ASSERT_EQ(sent_.size(), 3u);
  EXPECT_EQ(sent_[1].bytes, "said");
}

TEST_F(RelayedSshTest, TheOwnerHearsItAndItsEnd) {
  EXPECT_TRUE(Take(FrameType::kRelayData, "first "));
  EXPECT_TRUE(Take(FrameType::kRelayData, "last"));
  EXPECT_TRUE(Take(FrameType::kRelayData, ""));
  EXPECT_EQ(Output(), "first last");
}

TEST_F(RelayedSshTest, ItEndsOnceAllIsThere) {
  const std::string piece(kRelayWindow / 2, 'x');
  while (ssh_.Poll() == std::nullopt) {
    // Three pieces exceed the capacity of a pipe.
    if (lines_.empty()) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(Take(FrameType::kRelayData, piece));
      }
      EXPECT_TRUE(Take(FrameType::kRelaySaid, "why"));
      EXPECT_TRUE(Take(FrameType::kRelayEnded, "", 9));
      EXPECT_EQ(ssh_.Poll(), std::nullopt);
    }
    EXPECT_EQ(Output(), std::string(1024, 'x'));
    loop_.Wait(0);
  }
  EXPECT_EQ(ssh_.Poll(), 9);
  EXPECT_EQ(lines_, (std::vector<std::string>{"why"}));
}

TEST_F(RelayedSshTest, WhyItNeverRanIsALine) {
  EXPECT_TRUE(Take(FrameType::kRelayEnded, "no such program", 127 << 8));
  EXPECT_EQ(lines_, (std::vector<std::string>{"no such program"}));
}

TEST_F(RelayedSshTest, IsNotKilledWhenItHasEnded) {
  ssh_.Kill();
  ASSERT_EQ(sent_.size(), 2u);
  EXPECT_EQ(sent_[1].type, FrameType::kRelayKill);
  EXPECT_TRUE(Take(FrameType::kRelayEnded, "", 9));
  ssh_.Kill();
  EXPECT_EQ(sent_.size(), 2u);
}

TEST_F(RelayedSshTest, WhatNoAgentSaysIsRefused) {
  EXPECT_FALSE(Take(FrameType::kRelayTaken, "", 1));
  EXPECT_FALSE(Take(FrameType::kRelayKill, ""));
  EXPECT_FALSE(Take(FrameType::kRelayStart, ""));
  EXPECT_FALSE(Take(FrameType::kRelayData, std::string(kRelayWindow + 1, 'x')));
}

TEST_F(RelayedSshTest, NothingComesAfterItsEnd) {
  EXPECT_TRUE(Take(FrameType::kRelayEnded, ""));
  EXPECT_FALSE(Take(FrameType::kRelayEnded, ""));
  EXPECT_FALSE(Take(FrameType::kRelayData, "x"));
  ssh_.Reap();
  EXPECT_FALSE(ssh_.IsThere());
  EXPECT_FALSE(Take(FrameType::kRelaySaid, "x"));
}

}  // namespace
}  // namespace gasnet::gasnetrun
