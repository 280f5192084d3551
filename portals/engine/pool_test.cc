#include "portals/engine/pool.h"

#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::portals4 {
namespace {

class PoolTest : public testing::Test {
 protected:
  static constexpr uint32_t kSlots = 8;

  auto Link() {
    return [this](uint32_t slot) -> std::atomic<uint32_t>& {
      return links_[slot];
    };
  }

  uint32_t Take(uint32_t limit = kSlots) { return pool_.Take(limit, Link()); }
  void Give(uint32_t slot) { pool_.Give(slot, Link()); }

  SlotPool pool_ = {};
  std::atomic<uint32_t> links_[kSlots + 1] = {};
};

TEST_F(PoolTest, GivesEachSlotOnceAndNoMore) {
  std::set<uint32_t> given;
  for (uint32_t i = 0; i < kSlots; ++i) given.insert(Take());
  EXPECT_EQ(kSlots, given.size());
  EXPECT_EQ(0u, given.count(0));
  EXPECT_EQ(0u, Take());
}

TEST_F(PoolTest, GivesAgainWhatWasGivenBack) {
  while (Take() != 0) {
  }
  Give(3);
  EXPECT_EQ(3u, Take());
  EXPECT_EQ(0u, Take());
}

TEST_F(PoolTest, GivesNothingFromACorruptedStack) {
  pool_.head.store(kSlots + 5, std::memory_order_relaxed);
  EXPECT_EQ(1u, Take());
}

TEST_F(PoolTest, GivesUpWhereItOnlySeemsThatThereIsOne) {
  while (Take() != 0) {
  }
  pool_.used.store(0, std::memory_order_relaxed);
  EXPECT_EQ(0u, Take());
  EXPECT_EQ(0u, pool_.used.load(std::memory_order_relaxed));
}

TEST_F(PoolTest, LosesNothingBetweenThreads) {
  constexpr int kTimes = 20000;
  const auto run = [&] {
    for (int i = 0; i < kTimes; ++i) {
      const uint32_t slot = Take();
      ASSERT_NE(0u, slot);
      Give(slot);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 3; ++i) threads.emplace_back(run);
  for (std::thread& thread : threads) thread.join();
  std::set<uint32_t> given;
  for (uint32_t i = 0; i < kSlots; ++i) given.insert(Take());
  EXPECT_EQ(kSlots, given.size());
}

}  // namespace
}  // namespace gasnet::portals4
