#include "extended/operations.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "extended/record_table.h"
#include "extended/reply_check.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

TransferId IdOf(const Transfer& transfer) {
  return {transfer.index, transfer.Generation()};
}

void Answer(const TransferId& id, Direction direction) {
  Operations::Finish(Claim(0, id, direction));
}

class OperationsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { testing::Loopback::Attach(); }
};

TEST_F(OperationsTest, AnOperationIsDoneWhenAnswered) {
  Operations& mine = Operations::Mine();
  Transfer& put = mine.StartPut(0, nullptr);
  EXPECT_FALSE(IsDone(put));
  Answer(IdOf(put), Direction::kPut);
  EXPECT_TRUE(IsDone(put));
  mine.Release(put);
}

TEST_F(OperationsTest, AGetRemembersWhereItsDataGoes) {
  char destination[16];
  Transfer& get = Operations::Mine().StartGet(0, destination, 16, nullptr);
  Transfer& claimed = ClaimGet(0, IdOf(get), 16);
  EXPECT_EQ(&claimed, &get);
  EXPECT_EQ(static_cast<void*>(claimed.destination), destination);
  Operations::Finish(claimed);
  Operations::Mine().Release(get);
}

TEST_F(OperationsTest, PutsAreNotDoneWhileTheirSourceIsLent) {
  Operations& mine = Operations::Mine();
  Iop& iop = mine.TakeIop();
  Transfer& put = mine.StartPut(0, &iop);
  iop.loan.readers.store(1);
  Answer(IdOf(put), Direction::kPut);
  EXPECT_TRUE(iop.GetsDone());
  EXPECT_FALSE(iop.PutsDone());
  EXPECT_FALSE(IsDone(iop));
  iop.loan.readers.store(0);
  EXPECT_TRUE(iop.PutsDone());
  mine.Release(iop);
}

TEST_F(OperationsTest, AReusedRecordHasANewGeneration) {
  Operations& mine = Operations::Mine();
  Transfer& first = mine.StartPut(0, nullptr);
  const TransferId id = IdOf(first);
  const Handle handle = ToHandle(first);
  Answer(id, Direction::kPut);
  mine.Release(first);
  Transfer& second = mine.StartPut(0, nullptr);
  ASSERT_EQ(&first, &second) << "the pool does not hand out the last released";
  EXPECT_NE(second.Generation(), id.generation);
  EXPECT_EQ(&FromHandle(ToHandle(second)), &second);
  if (thread::kChecks) {
    EXPECT_NE(ToHandle(second), handle);
  }
  Answer(IdOf(second), Direction::kPut);
  mine.Release(second);
}

TEST_F(OperationsTest, GenerationsSkipZeroWhenTheyWrap) {
  EXPECT_EQ(Transfer::Next(1), 2u);
  EXPECT_EQ(Transfer::Next(0x3fffffff), 1u);
}

TEST_F(OperationsTest, FarMoreThanTheSpecificationWantsMayBeInFlight) {
  // more than the specification requires (65535)
  constexpr size_t kCount = 200'000;
  Operations& mine = Operations::Mine();
  std::vector<Transfer*> transfers;
  std::set<uint32_t> indices;
  for (size_t i = 0; i < kCount; ++i) {
    transfers.push_back(&mine.StartPut(0, nullptr));
    indices.insert(transfers.back()->index);
  }
  EXPECT_EQ(indices.size(), kCount);
  for (Transfer* const transfer : transfers) {
    EXPECT_EQ(RecordTable::Mine().FindTransfer(transfer->index), transfer);
    EXPECT_EQ(
        RecordTable::Mine().FindRecord(reinterpret_cast<uintptr_t>(transfer)),
        transfer);
    Answer(IdOf(*transfer), Direction::kPut);
    mine.Release(*transfer);
  }
}

// Returns the number of blocks of transfers. The blocks are numbered from 0.
uint32_t Blocks() {
  uint32_t blocks = 0;
  while (RecordTable::Mine().FindTransfer(blocks << RecordTable::kIndexBits))
    ++blocks;
  return blocks;
}

TEST_F(OperationsTest, TheSteadyStateMakesNoRecords) {
  Operations& mine = Operations::Mine();
  Iop& iop = mine.implicit();
  Answer(IdOf(mine.StartPut(0, &iop)), Direction::kPut);
  const uint32_t blocks = Blocks();
  // Starts far more operations than there are records.
  for (int i = 0; i < 1'000'000; ++i)
    Answer(IdOf(mine.StartPut(0, &iop)), Direction::kPut);
  EXPECT_EQ(Blocks(), blocks);
  EXPECT_TRUE(iop.IsDone());
}

TEST_F(OperationsTest, AnIopCountsGetsAndPutsApart) {
  Operations& mine = Operations::Mine();
  Iop& iop = mine.TakeIop();
  char destination[8];
  Transfer& put = mine.StartPut(0, &iop);
  Transfer& get = mine.StartGet(0, destination, 8, &iop);
  EXPECT_FALSE(iop.PutsDone());
  EXPECT_FALSE(iop.GetsDone());
  Answer(IdOf(put), Direction::kPut);
  EXPECT_TRUE(iop.PutsDone());
  EXPECT_FALSE(iop.IsDone());
  Answer(IdOf(get), Direction::kGet);
  EXPECT_TRUE(iop.IsDone());
  mine.Release(iop);
}

TEST_F(OperationsTest, RegionsTakeFreshIops) {
  Operations& mine = Operations::Mine();
  EXPECT_FALSE(mine.in_region());
  EXPECT_EQ(&mine.current(), &mine.implicit());
  std::set<Iop*> regions;
  for (int i = 0; i < 100; ++i) {
    mine.OpenRegion();
    EXPECT_TRUE(mine.in_region());
    Iop& region = mine.CloseRegion();
    EXPECT_TRUE(region.IsDone());
    regions.insert(&region);
  }
  EXPECT_EQ(regions.size(), 100u) << "an unsynced region was handed out again";
  EXPECT_EQ(&mine.current(), &mine.implicit());
  for (Iop* const region : regions) mine.Release(*region);
}

TEST_F(OperationsTest, ValueGetsKeepTheirResult) {
  Operations& mine = Operations::Mine();
  Transfer& complete = mine.CompletedValueGet(0x0123456789abcdef);
  EXPECT_TRUE(complete.IsDone());
  EXPECT_EQ(complete.value, 0x0123456789abcdefu);
  mine.Release(complete);

  Transfer& awaited = mine.StartValueGet(0, 2);
  const uint16_t bytes = 0xbeef;
  Transfer& claimed = ClaimGet(0, IdOf(awaited), 2);
  std::memcpy(claimed.destination, &bytes, 2);
  Operations::Finish(claimed);
  EXPECT_EQ(awaited.value, 0xbeefu);
  mine.Release(awaited);
}

TEST_F(OperationsTest, FindsNothingThatWasNotMade) {
  EXPECT_EQ(RecordTable::Mine().FindTransfer(0xffffffff), nullptr);
  EXPECT_EQ(RecordTable::Mine().FindRecord(0), nullptr);
  Transfer& put = Operations::Mine().StartPut(0, nullptr);
  const auto address = reinterpret_cast<uintptr_t>(&put);
  EXPECT_EQ(RecordTable::Mine().FindRecord(address), &put);
  EXPECT_EQ(RecordTable::Mine().FindRecord(address + 8), nullptr);
  Answer(IdOf(put), Direction::kPut);
  Operations::Mine().Release(put);
}

#if defined(GASNET_PAR)

TEST_F(OperationsTest, OtherThreadsMayHandleTheReplies) {
  constexpr int kHandlers = 3;
  constexpr uint64_t kParts = 10'000;
  Operations& mine = Operations::Mine();
  Iop& iop = mine.TakeIop();
  // A slot holds the id of at most one put that awaits its reply. One handler
  // thread serves each slot.
  struct Slot {
    std::atomic<bool> full{false};
    TransferId id{};
  };
  std::array<Slot, 64> slots;
  std::atomic<bool> stop{false};
  std::vector<std::thread> handlers;
  for (int i = 0; i < kHandlers; ++i) {
    handlers.emplace_back([&, i] {
      for (; !stop.load(); std::this_thread::yield()) {
        for (size_t at = i; at < slots.size(); at += kHandlers) {
          if (!slots[at].full.load(std::memory_order_acquire)) continue;
          Answer(slots[at].id, Direction::kPut);
          slots[at].full.store(false, std::memory_order_release);
        }
      }
    });
  }
  for (uint64_t made = 0; made < kParts;) {
    Slot& slot = slots[made % slots.size()];
    if (slot.full.load(std::memory_order_acquire)) {
      std::this_thread::yield();
      continue;
    }
    slot.id = IdOf(mine.StartPut(0, &iop));
    slot.full.store(true, std::memory_order_release);
    ++made;
  }
  while (!iop.IsDone()) std::this_thread::yield();
  stop.store(true);
  for (std::thread& handler : handlers) handler.join();
  EXPECT_EQ(iop.initiated_puts, kParts);
  mine.Release(iop);
}

// Records return to the thread that began the operations.
TEST_F(OperationsTest, AnotherThreadMayReleaseThem) {
  constexpr int kTimes = 100'000;
  Operations& mine = Operations::Mine();
  std::atomic<Operation*> given{nullptr};
  std::thread other([&] {
    Operations& its = Operations::Mine();
    ASSERT_NE(&its, &mine);
    for (int i = 0; i < kTimes; ++i) {
      Operation* operation = nullptr;
      while ((operation = given.exchange(nullptr)) == nullptr) {
        std::this_thread::yield();
      }
      its.Release(*operation);
    }
    // None of the released records has become a record of this thread.
    Transfer& own = its.StartPut(0, nullptr);
    EXPECT_EQ(own.owner, &its);
    Answer(IdOf(own), Direction::kPut);
    its.Release(own);
    Iop& iop = its.TakeIop();
    EXPECT_EQ(iop.owner, &its);
    its.Release(iop);
  });
  // Takes all idle records, so that the loop below needs the records that the
  // other thread releases.
  std::vector<Transfer*> held;
  const uint32_t before = Blocks();
  while (Blocks() == before) held.push_back(&mine.StartPut(0, nullptr));
  std::set<Operation*> iops;
  for (int i = 0; i < kTimes; ++i) {
    while (given.load() != nullptr) std::this_thread::yield();
    Operation* operation = nullptr;
    if (i % 2 == 0) {
      Transfer& put = mine.StartPut(0, nullptr);
      Answer(IdOf(put), Direction::kPut);
      operation = &put;
    } else {
      operation = &mine.TakeIop();
      iops.insert(operation);
    }
    given.store(operation);
  }
  other.join();
  // The two threads have made one block each.
  EXPECT_EQ(Blocks(), before + 2) << "transfers are not used again";
  EXPECT_LT(iops.size(), 2000u) << "Iops are not used again";
  for (Transfer* const transfer : held) {
    Answer(IdOf(*transfer), Direction::kPut);
    mine.Release(*transfer);
  }
}

TEST_F(OperationsTest, LeavesOfAnIopAreDoneBeforeItAndAfterIt) {
  Operations& mine = Operations::Mine();
  Iop& iop = mine.TakeIop();
  Leaf& gets = Operations::LeafOf(iop, kGets);
  Leaf& puts = Operations::LeafOf(iop, kPuts);
  Leaf& sources = Operations::LeafOf(iop, kSources);
  EXPECT_EQ(&Operations::LeafOf(iop, kPuts), &puts);
  char data[8];
  Transfer& get = mine.StartGet(0, data, sizeof data, &iop);
  Transfer& put = mine.StartPut(0, &iop);
  iop.loan.readers.store(1);
  EXPECT_FALSE(IsDone(gets));
  EXPECT_FALSE(IsDone(puts));
  EXPECT_FALSE(IsDone(sources));
  Answer(IdOf(put), Direction::kPut);
  EXPECT_FALSE(IsDone(puts));
  iop.loan.readers.store(0);
  EXPECT_TRUE(IsDone(sources));
  EXPECT_TRUE(IsDone(puts));
  EXPECT_FALSE(IsDone(gets));
  EXPECT_FALSE(IsDone(iop));
  Operations::Finish(ClaimGet(0, IdOf(get), sizeof data));
  EXPECT_TRUE(IsDone(gets));
  EXPECT_TRUE(IsDone(iop));
  mine.Release(iop);
  // The leaves do not belong to the record's next operation.
  Iop& next = mine.TakeIop();
  ASSERT_EQ(&next, &iop);
  Transfer& later = mine.StartPut(0, &next);
  EXPECT_TRUE(IsDone(puts));
  EXPECT_FALSE(IsDone(Operations::LeafOf(next, kPuts)));
  Answer(IdOf(later), Direction::kPut);
  mine.Release(next);
}

class Outside final : public Foreign {
 public:
  bool IsOver() const override { return over; }
  void Release() override { ++released; }

  bool over = false;
  int released = 0;
};

TEST_F(OperationsTest, AnOperationOfALayerAboveIsOneLikeOthers) {
  Outside outside;
  Operation& operation = outside;
  EXPECT_FALSE(IsDone(operation));
  EXPECT_EQ(&FromHandle(ToHandle(operation)), &operation);
  outside.over = true;
  EXPECT_TRUE(IsDone(operation));
  Operations::Mine().Release(operation);
  EXPECT_EQ(outside.released, 1);
}

TEST_F(OperationsTest, RepliesToAThreadThatEndedFindTheirOwner) {
  std::vector<TransferId> orphans;
  Operations* owner = nullptr;
  std::thread([&] {
    owner = &Operations::Mine();
    for (int i = 0; i < 1000; ++i)
      orphans.push_back(IdOf(owner->StartPut(0, &owner->implicit())));
  }).join();
  // The next thread takes over the ended thread's Operations while the replies
  // arrive.
  std::thread heir([&] {
    Operations& mine = Operations::Mine();
    EXPECT_EQ(&mine, owner);
    for (int i = 0; i < 1000; ++i) {
      Transfer& put = mine.StartPut(0, nullptr);
      Answer(IdOf(put), Direction::kPut);
      mine.Release(put);
    }
  });
  for (const TransferId& id : orphans) Answer(id, Direction::kPut);
  heir.join();
  EXPECT_TRUE(owner->implicit().IsDone());
}

#endif

}  // namespace
}  // namespace gasnet::extended
