// Tests a slot that threads other than its owner read.
#include "conduits/portals/request_slot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace gasnet::portals_conduit {
namespace {

// Begins a use. Every word of the slot has the number of the use. A test can
// thus tell which use it has read.
uint32_t Begin(RequestSlot& slot) {
  const uint32_t next = slot.Use() + 1;
  slot.SetOut(next, 0);
  EXPECT_EQ(slot.Begin({next, next, next}), next);
  return next;
}

TEST(RequestSlotTest, OneOfThoseThatEndAUseHasTheSlot) {
  RequestSlot slot;
  const uint32_t first = Begin(slot);
  EXPECT_TRUE(slot.Claim(first));
  EXPECT_FALSE(slot.Claim(first));
  EXPECT_FALSE(slot.Claim(slot.Use()));
  const uint32_t second = Begin(slot);
  EXPECT_FALSE(slot.Claim(first));
  EXPECT_TRUE(slot.Claim(second));
}

TEST(RequestSlotTest, ThePutOfAUseIsKeptWhileItLasts) {
  RequestSlot slot;
  const uint32_t first = Begin(slot);
  ASSERT_TRUE(slot.Kept(first).has_value());
  EXPECT_EQ(slot.Kept(first)->match_bits, first);
  EXPECT_TRUE(slot.Claim(first));
  EXPECT_FALSE(slot.Kept(first).has_value());
  const uint32_t second = Begin(slot);
  EXPECT_FALSE(slot.Kept(first).has_value());
  EXPECT_EQ(slot.Kept(second)->bytes, second);
}

// The main thread acts as a thread that sends a refused request again, too
// late.
TEST(RequestSlotTest, AReaderTakesNoPutOfALaterUse) {
  constexpr int kUses = 20'000;
  RequestSlot slot;
  std::atomic<bool> is_over{false};
  std::thread owner([&] {
    for (int i = 0; i < kUses; ++i) EXPECT_TRUE(slot.Claim(Begin(slot)));
    is_over.store(true, std::memory_order_relaxed);
  });
  while (!is_over.load(std::memory_order_relaxed)) {
    const uint32_t use = slot.Use();
    const std::optional<RequestPut> put = slot.Kept(use);
    if (!RequestSlot::IsInFlight(use) || !put.has_value()) continue;
    EXPECT_EQ(put->bytes, use);
    EXPECT_EQ(put->match_bits, use);
    EXPECT_EQ(put->header_data, use);
  }
  owner.join();
}

}  // namespace
}  // namespace gasnet::portals_conduit
