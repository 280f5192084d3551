// Tests of one ring: a Producer and a Consumer over the same memory.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "base/cache_line.h"
#include "core/hostshm/consumer.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/producer.h"
#include "core/thread/mode.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Lane;

struct Free {
  void operator()(unsigned char* memory) const { free(memory); }
};

class Ring : public testing::Test {
 protected:
  Ring() : memory_(Allocate()) {
    producer_.Init(memory_.get(), layout_, 1, 0, Lane::kRequest);
    consumer_.Init(memory_.get(), layout_, 1, 0, Lane::kRequest);
  }

  unsigned char* Allocate() const {
    void* const got = aligned_alloc(kPage, layout_.total());
    memset(got, 0, layout_.total());
    return static_cast<unsigned char*>(got);
  }

  size_t area() const { return layout_.payload_bytes(); }

  bool Reserve(size_t bytes = 0) { return producer_.Reserve(bytes, slot_); }

  static void Publish(const Producer::Slot& slot, uint32_t nbytes) {
    CellHeader header;
    header.lap = slot.lap;
    header.nbytes = nbytes;
    slot.cell->header.store(header.Pack(), std::memory_order_release);
  }

  bool Send(size_t bytes = 0) {
    if (!Reserve(bytes)) return false;
    Publish(slot_, static_cast<uint32_t>(bytes));
    return true;
  }

  bool Receive(size_t bytes = 0) {
    uint32_t index;
    if (Take(index) == nullptr) return false;
    Finish(index, bytes);
    return true;
  }

  // Takes one cell at a time.
  Cell* Take(uint32_t& index) {
    return consumer_.Take(1, index) == 0 ? nullptr : &consumer_.CellAt(index);
  }
  bool Finish(uint32_t index, size_t bytes) {
    return consumer_.Finish(index, 1, bytes);
  }

  const Layout layout_{2};
  std::unique_ptr<unsigned char, Free> memory_;
  Producer producer_;
  Consumer consumer_;
  Producer::Slot slot_{};
};

// Fixture for cells that finish in any order. This happens only if several
// threads handle messages of one ring.
class FinishedInAnyOrder : public Ring {
 protected:
  void SetUp() override {
    if (!thread::kConcurrent) {
      GTEST_SKIP() << "in this mode all cells are finished in order";
    }
    Ring::SetUp();
  }
};

TEST_F(Ring, IsEmptyAtFirst) {
  uint32_t index;
  EXPECT_FALSE(consumer_.Ready());
  EXPECT_EQ(Take(index), nullptr);
}

// The area restarts at its beginning while cells from before the restart are
// still in use. Their credit comes back after the restart.
TEST_F(Ring, LateCreditDoesNotShrinkTheArea) {
  ASSERT_TRUE(Send(100));
  ASSERT_TRUE(Receive(100));
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
  for (uint32_t i = 0; i < kCells / 2; ++i) ASSERT_TRUE(Receive());
  ASSERT_TRUE(Send(100));  // the block is at the beginning again
  for (uint32_t i = 0; i < kCells / 2; ++i) ASSERT_TRUE(Receive());
  for (uint32_t i = 0; i < kCells / 2 - 1; ++i) ASSERT_TRUE(Send());
  EXPECT_TRUE(Send(100));
}

TEST_F(Ring, LendsItsPreparedBlocksAndNoMore) {
  unsigned char* const one = producer_.TakeBlock();
  unsigned char* const other = producer_.TakeBlock();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(static_cast<size_t>(std::abs(one - other)),
            layout_.prepared_bytes());
  EXPECT_TRUE(producer_.HasBlock(one));
  EXPECT_TRUE(producer_.HasBlock(other));
  EXPECT_FALSE(producer_.HasBlock(one + 1));
  EXPECT_EQ(producer_.TakeBlock(), nullptr);
  producer_.ReturnBlock(other);
  EXPECT_EQ(producer_.TakeBlock(), other);
}

TEST_F(Ring, APreparedBlockComesBackWithItsMessage) {
  unsigned char* const block = producer_.TakeBlock();
  ASSERT_NE(producer_.TakeBlock(), nullptr);
  ASSERT_TRUE(Send());
  ASSERT_TRUE(producer_.ReserveFor(block, slot_));
  EXPECT_EQ(slot_.block, block);
  EXPECT_EQ(consumer_.payload() + slot_.block_offset, block);
  Publish(slot_, 0);
  producer_.ReturnBlock(block);  // no effect: its message owns the block
  ASSERT_TRUE(Send());
  EXPECT_EQ(producer_.TakeBlock(), nullptr);
  ASSERT_TRUE(Receive(area())) << "credit for the message before it";
  EXPECT_EQ(producer_.TakeBlock(), nullptr);
  ASSERT_TRUE(Receive(area()));
  EXPECT_EQ(producer_.TakeBlock(), block);
}

TEST_F(Ring, MessagesDoNotWaitForAPreparedBlock) {
  unsigned char* const block = producer_.TakeBlock();
  for (uint32_t i = 0; i < 3 * kCells; ++i) {
    ASSERT_TRUE(Send(area()));
    EXPECT_FALSE(Reserve(kCacheLine));
    ASSERT_TRUE(Receive(area()));
  }
  ASSERT_TRUE(producer_.ReserveFor(block, slot_));
  Publish(slot_, 0);
  EXPECT_TRUE(Receive());
}

TEST_F(Ring, APreparedBlockStaysWhileThereIsNoCell) {
  unsigned char* const block = producer_.TakeBlock();
  ASSERT_NE(producer_.TakeBlock(), nullptr);
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
  EXPECT_FALSE(producer_.ReserveFor(block, slot_));
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Receive());
  EXPECT_EQ(producer_.TakeBlock(), nullptr);
  EXPECT_TRUE(producer_.ReserveFor(block, slot_));
}

TEST_F(Ring, ShowsAMessageOnlyWhenPublished) {
  ASSERT_TRUE(Reserve());
  EXPECT_FALSE(consumer_.Ready());
  Publish(slot_, 5);
  ASSERT_TRUE(consumer_.Ready());
  uint32_t index;
  EXPECT_EQ(Take(index), slot_.cell);
  EXPECT_FALSE(consumer_.Ready());
}

TEST_F(Ring, KeepsOrderWhenCellsAreFilledOutOfOrder) {
  Producer::Slot first, second;
  ASSERT_TRUE(producer_.Reserve(0, first));
  ASSERT_TRUE(producer_.Reserve(0, second));
  Publish(second, 0);
  EXPECT_FALSE(consumer_.Ready());
  Publish(first, 0);
  uint32_t index;
  EXPECT_EQ(Take(index), first.cell);
  EXPECT_EQ(Take(index), second.cell);
}

TEST_F(Ring, ItsFillIsKnown) {
  ASSERT_TRUE(Send(kCacheLine + 1));
  const job::RingFill fill = producer_.Fill();
  EXPECT_EQ(fill.messages, 1u);
  EXPECT_EQ(fill.max_messages, kCells);
  EXPECT_EQ(fill.lines, 2u);
  EXPECT_EQ(fill.max_lines, area() / kCacheLine);
}

TEST_F(Ring, FullOfCellsRecoversAfterCredit) {
  for (int round = 0; round < 1000; ++round) {
    for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
    ASSERT_FALSE(Reserve());
    for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Receive());
    ASSERT_FALSE(consumer_.Ready());
  }
}

TEST_F(Ring, FullOfPayloadRecoversAfterCredit) {
  ASSERT_TRUE(Send(area()));
  EXPECT_FALSE(Reserve(1));
  ASSERT_TRUE(Send(0)) << "what needs no block must still get through";
  ASSERT_TRUE(Receive(area()));
  ASSERT_TRUE(Receive(0));
  EXPECT_TRUE(Send(area()));
}

TEST_F(FinishedInAnyOrder, GivesBackOnlyTheFinishedPrefix) {
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
  uint32_t index[kCells];
  for (uint32_t& i : index) ASSERT_NE(Take(i), nullptr);
  for (uint32_t i = 1; i < kCells; ++i) {
    EXPECT_FALSE(Finish(index[i], 0));
  }
  EXPECT_FALSE(Reserve()) << "the oldest cell is still in use";
  EXPECT_TRUE(Finish(index[0], 0));
  for (uint32_t i = 0; i < kCells; ++i) EXPECT_TRUE(Send());
  EXPECT_FALSE(Reserve());
}

TEST_F(FinishedInAnyOrder, NeverReusesABlockBehindAnUnfinishedOne) {
  const size_t quarter = area() / 4;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Send(quarter));
  uint32_t index[4];
  for (uint32_t& i : index) ASSERT_NE(Take(i), nullptr);
  for (const int i : {3, 1, 2}) Finish(index[i], quarter);
  EXPECT_FALSE(Reserve(1));
  Finish(index[0], quarter);
  EXPECT_TRUE(Reserve(area()));
}

TEST_F(FinishedInAnyOrder, HandsOutARunOfFullCells) {
  for (uint32_t lap = 0; lap < 3 * kCells; lap += kCells - 10) {
    for (uint32_t i = 0; i < kCells - 10; ++i) ASSERT_TRUE(Send());
    uint32_t first, second, third;
    ASSERT_EQ(consumer_.Take(7, first), 7u);
    ASSERT_EQ(consumer_.Take(kCells, second), kCells - 17);
    EXPECT_EQ(consumer_.Take(kCells, third), 0u);
    EXPECT_EQ(first, lap);
    EXPECT_EQ(second, lap + 7);
    EXPECT_FALSE(consumer_.Finish(second, kCells - 17, 0))
        << "not while older cells are in use";
    EXPECT_FALSE(consumer_.Finish(first, 3, 0));
    EXPECT_TRUE(consumer_.Finish(first + 3, 4, 0));
  }
}

TEST_F(Ring, HandsOutAWholeLap) {
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
  uint32_t first;
  ASSERT_EQ(consumer_.Take(kCells, first), kCells);
  EXPECT_FALSE(Reserve());
  EXPECT_TRUE(consumer_.Finish(first, kCells, 0));
  EXPECT_TRUE(Reserve());
}

// The block belongs to a cell that finishes before an older cell.
TEST_F(FinishedInAnyOrder, GivesBackABlockThatWaitedForAnOlderCell) {
  uint32_t index[3];
  ASSERT_TRUE(Send());
  ASSERT_TRUE(Send());
  ASSERT_TRUE(Send(area()));
  for (uint32_t& i : index) ASSERT_NE(Take(i), nullptr);
  Finish(index[0], 0);
  Finish(index[2], area());
  Finish(index[1], 0);
  EXPECT_TRUE(Reserve(area()));
}

TEST_F(Ring, IgnoresImpossibleCredit) {
  auto* const credit = reinterpret_cast<std::atomic<uint32_t>*>(
      memory_.get() + layout_.credit_at(1, 0, Lane::kRequest));
  for (uint32_t i = 0; i < kCells; ++i) ASSERT_TRUE(Send());
  for (const uint32_t lie : {kCells + 1, 1000u, ~0u}) {
    credit->store(lie);
    EXPECT_FALSE(Reserve()) << lie;
  }
}

TEST_F(Ring, StartsOverAtTheBeginningWheneverDrained) {
  for (int i = 0; i < 10'000; ++i) {
    const size_t bytes = 1 + i * 37 % 4000;
    ASSERT_TRUE(Reserve(bytes));
    // The producer reads credit only when space seems to have run out. So a
    // whole lap may pass before it sees that the area is empty and starts the
    // area over.
    ASSERT_EQ(slot_.block, consumer_.payload() + slot_.block_offset);
    Publish(slot_, 0);
    ASSERT_TRUE(Receive(bytes));
  }
  for (uint32_t i = 0; i < kCells; ++i) Send();
  for (uint32_t i = 0; i < kCells; ++i) Receive();
  ASSERT_TRUE(Send());  // makes the producer read the credit
  ASSERT_TRUE(Reserve(100));
  EXPECT_EQ(slot_.block_offset, 0u);
}

TEST_F(Ring, TouchesLittleMemoryWhenLittleIsInFlight) {
  size_t highest = 0;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(Reserve(100));
    highest = std::max<size_t>(highest, slot_.block_offset + 100);
    Publish(slot_, 100);
    ASSERT_TRUE(Receive(100));
  }
  // The memory in use is at most one lap of blocks.
  EXPECT_LE(highest, kCells * 2 * kCacheLine);
}

// The model's record of a message in flight.
struct Expected {
  size_t bytes;
  unsigned char fill;
  uint32_t offset;
};

class RandomRing : public Ring, public testing::WithParamInterface<unsigned> {
 protected:
  size_t RandomBytes() {
    switch (random_() % 8) {
      case 0:
        return area() - random_() % 64;
      case 1:
        return 1 + random_() % area();
      case 2:
        return 1 + random_() % 4096;
      case 3:
      case 4:
        return 1 + random_() % 200;
      default:
        return 0;
    }
  }

  void CheckBlock(size_t bytes) {
    ASSERT_EQ(slot_.block_offset % kCacheLine, 0u);
    ASSERT_LE(slot_.block_offset + bytes, area());
    for (const Expected& other : in_flight_) {
      ASSERT_TRUE(other.bytes == 0 ||
                  slot_.block_offset >= other.offset + other.bytes ||
                  other.offset >= slot_.block_offset + bytes);
    }
  }

  void SendSome() {
    for (size_t n = random_() % (kCells + 8); n > 0; --n) {
      const size_t bytes = RandomBytes();
      const bool room = Reserve(bytes);
      ASSERT_TRUE(room || !in_flight_.empty()) << "an empty ring has room";
      if (!room) return;
      const auto fill = static_cast<unsigned char>(random_());
      if (bytes > 0) {
        CheckBlock(bytes);
        slot_.block[0] = slot_.block[bytes - 1] = fill;
      }
      in_flight_.push_back({bytes, fill, slot_.block_offset});
      Publish(slot_, static_cast<uint32_t>(bytes));
      ++sent_;
    }
  }

  void ReceiveSome() {
    for (size_t n = random_() % (kCells + 8); n > 0; --n) {
      uint32_t index;
      Cell* const cell = Take(index);
      ASSERT_EQ(cell == nullptr, in_flight_.empty());
      if (cell == nullptr) return;
      const Expected want = in_flight_.front();
      ASSERT_EQ(CellHeader::Unpack(cell->header.load()).nbytes, want.bytes);
      if (want.bytes > 0) {
        const unsigned char* const block = consumer_.payload() + want.offset;
        ASSERT_EQ(block[0], want.fill);
        ASSERT_EQ(block[want.bytes - 1], want.fill);
      }
      Finish(index, want.bytes);
      in_flight_.pop_front();
    }
  }

  std::mt19937 random_{GetParam()};
  std::deque<Expected> in_flight_;
  size_t sent_ = 0;
};

TEST_P(RandomRing, DeliversWhatAModelDoes) {
  while (sent_ < 100'000) {
    SendSome();
    ReceiveSome();
    ASSERT_FALSE(HasFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRing, testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace gasnet::hostshm
