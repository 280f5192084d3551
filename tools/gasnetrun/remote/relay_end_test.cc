#include "tools/gasnetrun/remote/relay_end.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"

namespace gasnet::gasnetrun {
namespace {

using job::EventLoop;
using job::FrameType;

struct Said {
  FrameType type;
  uint32_t value;
  std::string bytes;
};

// One end of a relay, the far sides of its descriptors, and the notes that this
// end has sent.
class End {
 public:
  explicit End(EventLoop& loop) : loop_(loop) {
    signal(SIGPIPE, SIG_IGN);
    UniqueFd in, out;
    Connect(source_, in);
    Connect(sink_, out);
    end_ = std::make_unique<RelayEnd>(
        kRelayWindow, std::move(in), std::move(out), loop,
        [this](FrameType type, uint32_t value, std::string_view bytes) {
          said_.push_back({type, value, std::string(bytes)});
        });
  }

  RelayEnd& operator*() { return *end_; }
  RelayEnd* operator->() { return end_.get(); }

  bool Feed(const std::string& bytes) {
    return WriteFull(source_.get(), bytes.data(), bytes.size());
  }
  void CloseSource() { source_.Reset(); }
  void CloseSink() { sink_.Reset(); }

  // Returns the output that this end has written since the last call of Output.
  std::string Output() {
    std::string all;
    char bytes[4096];
    ssize_t got;
    while ((got = read(sink_.get(), bytes, sizeof bytes)) > 0) {
      all.append(bytes, static_cast<size_t>(got));
    }
    has_ended_ = got == 0;
    return all;
  }
  // Returns true if this end's output had ended at the last check.
  bool HasEnded() const { return has_ended_; }

  // Does all work that is possible now.
  void Turn() {
    for (int i = 0; i < 32; ++i) loop_.Wait(0);
  }

  // Returns the notes that this end has sent since the last call of TakeSaid.
  std::deque<Said> TakeSaid() { return std::exchange(said_, {}); }
  uint32_t DataSaid() {
    uint32_t size = 0;
    for (const Said& said : TakeSaid()) {
      EXPECT_EQ(said.type, FrameType::kRelayData);
      size += static_cast<uint32_t>(said.bytes.size());
    }
    return size;
  }

 private:
  static void Connect(UniqueFd& ours, UniqueFd& its) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ours.Reset(ends[0]);
    its.Reset(ends[1]);
    SetNonBlocking(ours.get());
    // The buffer is larger than a window. So tests decide when it is full.
    const int size = 1 << 20;
    setsockopt(ours.get(), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  }

  EventLoop& loop_;
  UniqueFd source_;
  UniqueFd sink_;
  std::unique_ptr<RelayEnd> end_;
  std::deque<Said> said_;
  bool has_ended_ = false;
};

// Sends data until the descriptor that `end` writes to accepts no more.
void FillSink(End& end) {
  const std::string piece(kRelayWindow / 4, 'x');
  while (end->HasWrittenAll()) ASSERT_TRUE(end->TakeData(piece));
}

class RelayEndTest : public testing::Test {
 protected:
  EventLoop loop_;
  End end_{loop_};
};

TEST_F(RelayEndTest, WhatIsThereIsSaid) {
  ASSERT_TRUE(end_.Feed("some bytes"));
  EXPECT_FALSE(end_->HasSentAll());
  end_.Turn();
  EXPECT_TRUE(end_->HasSentAll());
  const auto said = end_.TakeSaid();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].type, FrameType::kRelayData);
  EXPECT_EQ(said[0].bytes, "some bytes");
}

TEST_F(RelayEndTest, ItsEndIsSaidOnce) {
  end_.CloseSource();
  end_.Turn();
  const auto said = end_.TakeSaid();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].type, FrameType::kRelayData);
  EXPECT_EQ(said[0].bytes, "");
}

TEST_F(RelayEndTest, NoMoreThanTheWindowIsSaidWithoutCredit) {
  ASSERT_TRUE(end_.Feed(std::string(2 * kRelayWindow, 'x')));
  end_.Turn();
  EXPECT_EQ(end_.DataSaid(), kRelayWindow);
  EXPECT_TRUE(end_->TakeCredit(100));
  end_.Turn();
  EXPECT_EQ(end_.DataSaid(), 100u);
}

TEST_F(RelayEndTest, CreditThatWasNeverSpentIsRefused) {
  EXPECT_FALSE(end_->TakeCredit(1));
  EXPECT_FALSE(end_->TakeCredit(0xffffffff));
  ASSERT_TRUE(end_.Feed("12"));
  end_.Turn();
  EXPECT_FALSE(end_->TakeCredit(3));
  EXPECT_TRUE(end_->TakeCredit(2));
  EXPECT_FALSE(end_->TakeCredit(1));
}

TEST_F(RelayEndTest, WhatComesIsWrittenAndCreditGiven) {
  const std::string half(kRelayWindow / 2, 'x');
  EXPECT_TRUE(end_->TakeData(half));
  EXPECT_EQ(end_.Output(), half);
  const auto said = end_.TakeSaid();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].type, FrameType::kRelayTaken);
  EXPECT_EQ(said[0].value, half.size());
}

TEST_F(RelayEndTest, TheEndComesAfterWhatWaits) {
  FillSink(end_);
  EXPECT_TRUE(end_->TakeData(""));
  std::string all;
  while (!end_.HasEnded()) {
    all += end_.Output();
    end_.Turn();
  }
  EXPECT_TRUE(end_->HasWrittenAll());
  EXPECT_EQ(all, std::string(all.size(), 'x'));
}

TEST_F(RelayEndTest, NothingComesAfterTheEnd) {
  EXPECT_TRUE(end_->TakeData(""));
  EXPECT_FALSE(end_->TakeData("more"));
  EXPECT_FALSE(end_->TakeData(""));
}

TEST_F(RelayEndTest, MoreThanTheWindowIsRefused) {
  FillSink(end_);
  // Bytes that are still queued return no credit. So only the rest of the
  // window is left.
  while (end_->TakeData("y")) {
  }
  EXPECT_FALSE(end_->HasWrittenAll());
  EXPECT_FALSE(end_->TakeData(std::string(kRelayWindow + 1, 'x')));
}

TEST_F(RelayEndTest, WhatNobodyReadsIsDroppedAndCredited) {
  end_.CloseSink();
  const std::string window(kRelayWindow, 'x');
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(end_->TakeData(window));
    EXPECT_TRUE(end_->HasWrittenAll());
    const auto said = end_.TakeSaid();
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].value, kRelayWindow);
  }
}

// Passes the notes of `a` to `b`, and those of `b` to `a`.
void Exchange(End& a, End& b) {
  for (auto [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const Said& said : from->TakeSaid()) {
      const bool is_data = said.type == FrameType::kRelayData;
      ASSERT_TRUE(is_data ? (*to)->TakeData(said.bytes)
                          : (*to)->TakeCredit(said.value));
    }
  }
}

TEST(RelayEndsTest, CarryMuchMoreThanTheWindowBothWays) {
  constexpr size_t kMuch = 10 * kRelayWindow;
  EventLoop loop;
  End a(loop), b(loop);
  std::string at_a, at_b;
  size_t fed = 0;
  while (at_a.size() < kMuch || at_b.size() < kMuch) {
    if (fed < kMuch) {
      const std::string piece(1000, static_cast<char>('a' + fed % 26));
      fed += piece.size();
      ASSERT_TRUE(a.Feed(piece));
      ASSERT_TRUE(b.Feed(piece));
    }
    a.Turn();
    ASSERT_NO_FATAL_FAILURE(Exchange(a, b));
    at_a += a.Output();
    at_b += b.Output();
  }
  EXPECT_EQ(at_a, at_b);
  EXPECT_EQ(at_a.size(), fed);
}

}  // namespace
}  // namespace gasnet::gasnetrun
