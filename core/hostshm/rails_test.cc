// Tests of the rails of a link: their owners, and the threads that poll them.
#include "core/hostshm/rails.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/cache_line.h"
#include "core/hostshm/tuning.h"
#include "core/thread/thread_state.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Lane;
using thread::ThreadState;

constexpr uint32_t kRanks = 2;

// Memory for at most `most` rails.
class Memory : public RailSource {
 public:
  explicit Memory(unsigned most = thread::kMaxRails) : most_(most) {}

  absl::StatusOr<unsigned char*> RailMemory(unsigned rail) override {
    if (rail > most_) return absl::ResourceExhaustedError("no memory");
    made_.push_back(rail);
    memory_.push_back(std::make_unique<unsigned char[]>(layout_.total()));
    return memory_.back().get();
  }
  const std::vector<unsigned>& made() const { return made_; }

 private:
  const Layout layout_{kRanks};
  const unsigned most_;
  std::vector<unsigned> made_;
  std::vector<std::unique_ptr<unsigned char[]>> memory_;
};

class RailsTest : public ::testing::Test {
 protected:
  void Begin(Memory& memory, unsigned most) {
    const Layout layout(kRanks);
    first_memory_ = std::make_unique<unsigned char[]>(layout.total());
    first_.Init(first_memory_.get(), first_memory_.get(), layout, 0);
    rails_.Init(first_, layout, 0);
    rails_.SetSource(memory);
    rails_.Allow(most);
    for (uint32_t i = 0; i < 3; ++i) threads_[i].index = i;
  }
  unsigned OwnOf(unsigned thread) const {
    return rails_.OwnOf(threads_[thread].rails);
  }
  // Makes the thread look for messages until it compares the counts of all
  // rails.
  Rails::Mask LookLong(unsigned thread) {
    Rails::Mask last = 0;
    for (unsigned i = 0; i < kPollsPerLookAtRails; ++i) {
      last = rails_.ToPoll(threads_[thread]);
    }
    return last;
  }

  std::unique_ptr<unsigned char[]> first_memory_;
  Rail first_;
  Rails rails_;
  ThreadState threads_[3];
};

TEST_F(RailsTest, ThreadsThatMeetMoveToRailsInTurn) {
  Memory memory;
  Begin(memory, 3);
  EXPECT_TRUE(rails_.IsOne());
  EXPECT_TRUE(rails_.Move(threads_[1]));
  EXPECT_EQ(OwnOf(0), 0u);
  EXPECT_EQ(OwnOf(1), 1u);
  EXPECT_FALSE(rails_.IsOne());
  EXPECT_TRUE(rails_.Move(threads_[2]));
  EXPECT_EQ(OwnOf(2), 2u);
  EXPECT_TRUE(rails_.Move(threads_[0]));
  EXPECT_EQ(OwnOf(0), 1u) << "there are three, and the first is for those that "
                             "have met nobody";
  EXPECT_EQ(memory.made(), (std::vector<unsigned>{1, 2}));
}

TEST_F(RailsTest, AThreadKeepsToItsRailUnlessItMeetsOthersAgainAndAgain) {
  Memory memory;
  Begin(memory, 3);
  EXPECT_TRUE(rails_.Move(threads_[0]));
  for (unsigned i = 1; i < kMeetingsPerMove; ++i) {
    ASSERT_FALSE(rails_.Move(threads_[0])) << i;
  }
  EXPECT_EQ(OwnOf(0), 1u);
  EXPECT_TRUE(rails_.Move(threads_[0]));
  EXPECT_EQ(OwnOf(0), 2u);
}

TEST_F(RailsTest, WithOneRailNoThreadMoves) {
  Memory memory;
  Begin(memory, 1);
  EXPECT_FALSE(rails_.Move(threads_[0]));
  EXPECT_TRUE(memory.made().empty());
}

TEST_F(RailsTest, WithoutMemoryThreadsShareARail) {
  Memory memory(1);
  Begin(memory, 4);
  EXPECT_TRUE(rails_.Move(threads_[0]));
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(rails_.Move(threads_[1]));
  EXPECT_FALSE(rails_.Move(threads_[1]));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("no memory"), std::string::npos) << said;
  EXPECT_EQ(said.find("no memory"), said.rfind("no memory")) << "said once";
  EXPECT_EQ(OwnOf(0), 1u);
  EXPECT_EQ(OwnOf(1), 0u);
}

TEST_F(RailsTest, AThreadOfAnEarlierLifeHasTheFirst) {
  Memory memory;
  Begin(memory, 4);
  threads_[0].rails.own = 3;
  threads_[0].rails.serves = 1u << 2;
  EXPECT_EQ(OwnOf(0), 0u);
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 1u);
}

TEST_F(RailsTest, AThreadPollsItsOwnRailAndThoseThatNobodyPolls) {
  Memory memory;
  Begin(memory, 3);
  ASSERT_TRUE(rails_.Move(threads_[1]));
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 1u);
  EXPECT_EQ(rails_.ToPoll(threads_[1]), 2u);
  LookLong(0);
  EXPECT_EQ(LookLong(0), 3u) << "thread 1 computes";
  EXPECT_EQ(rails_.ToPoll(threads_[1]), 2u) << "and is back";
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 1u);
}

TEST_F(RailsTest, AThreadLeavesARailAloneThatAnotherPolls) {
  Memory memory;
  Begin(memory, 3);
  ASSERT_TRUE(rails_.Move(threads_[1]));
  rails_.ToPoll(threads_[1]);
  LookLong(0);
  for (int i = 0; i < 1000; ++i) {
    rails_.ToPoll(threads_[1]);
    ASSERT_EQ(rails_.ToPoll(threads_[0]), 1u) << i;
  }
}

TEST_F(RailsTest, AThreadServesTheRailThatItLeaves) {
  Memory memory;
  Begin(memory, 3);
  ASSERT_TRUE(rails_.Move(threads_[0]));
  while (!rails_.Move(threads_[0])) {
  }
  EXPECT_EQ(OwnOf(0), 2u);
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 6u);
}

TEST_F(RailsTest, AThreadWhoseRailIsBeyondTheLimitHasTheFirst) {
  Memory memory;
  Begin(memory, 2);
  threads_[0].rails.own = 3;
  ASSERT_TRUE(rails_.Make(3).ok()) << "for a peer";
  EXPECT_EQ(OwnOf(0), 0u);
}

// Only one of two threads serves a rail that both could serve. When that thread
// computes, the other thread takes over.
TEST_F(RailsTest, OneThreadServesARail) {
  Memory memory;
  Begin(memory, 2);
  ASSERT_TRUE(rails_.Move(threads_[2]));
  LookLong(0);
  LookLong(1);
  const Rails::Mask both[] = {rails_.ToPoll(threads_[0]),
                              rails_.ToPoll(threads_[1])};
  EXPECT_EQ((both[0] | both[1]), 3u);
  EXPECT_NE(both[0], both[1]);
  const unsigned other = both[0] == 3 ? 1 : 0;
  LookLong(other);
  EXPECT_EQ(LookLong(other), 3u);
}

TEST_F(RailsTest, AnIdlePollBringsTheNextLookNearer) {
  Memory memory;
  Begin(memory, 2);
  ASSERT_TRUE(rails_.Move(threads_[1]));
  unsigned looks = 0;
  while (rails_.ToPoll(threads_[0]) == 1) {
    Rails::NoteIdlePoll(threads_[0]);
    ++looks;
  }
  EXPECT_LE(looks, kPollsPerLookAtRails / kPollsOfAnIdleOne);
}

TEST_F(RailsTest, BeforeASleepAThreadPollsAll) {
  Memory memory;
  Begin(memory, 3);
  ASSERT_TRUE(rails_.Move(threads_[1]));
  ASSERT_TRUE(rails_.Move(threads_[2]));
  threads_[0].rails.polls_all = true;
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 7u);
  EXPECT_EQ(rails_.ToPoll(threads_[0]), 1u) << "once";
}

// The cache lines that a thread writes for a message belong to its rail.
TEST_F(RailsTest, RailsShareNoCacheLine) {
  Memory memory;
  Begin(memory, 3);
  ASSERT_TRUE(rails_.Move(threads_[1]));
  ASSERT_TRUE(rails_.Move(threads_[2]));
  struct Part {
    uintptr_t begin, end;
    unsigned rail;
  };
  std::vector<Part> parts;
  for (unsigned index = 0; index < 3; ++index) {
    Rail& rail = rails_.at(index);
    const auto add = [&](const auto& object) {
      const auto at = reinterpret_cast<uintptr_t>(&object);
      parts.push_back(
          {at / kCacheLine, (at + sizeof(object) - 1) / kCacheLine, index});
    };
    add(rail);
    for (uint32_t peer = 0; peer < kRanks; ++peer) {
      for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
        add(rail.To(peer, lane));
        add(rail.From(peer, lane));
      }
    }
  }
  for (const Part& a : parts) {
    for (const Part& b : parts) {
      if (a.rail == b.rail) continue;
      EXPECT_TRUE(a.end < b.begin || b.end < a.begin)
          << "rails " << a.rail << " and " << b.rail;
    }
  }
}
}  // namespace
}  // namespace gasnet::hostshm
