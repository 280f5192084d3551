// Tests the search for the address of segments, in a job of one rank.
#include "core/hostshm/address_range.h"

#include <unistd.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "job/job.h"
#include "job/testing/job_alone.h"

namespace gasnet::hostshm {
namespace {

constexpr size_t kBytes = 1 << 20;

bool IsAboveHeap(uintptr_t address) {
  return address >= reinterpret_cast<uintptr_t>(sbrk(0));
}

TEST(AddressRange, GivesBackWhatItHeldWhenAssigned) {
  AddressRange range = AddressRange::Reserve(0, kBytes);
  ASSERT_TRUE(range.valid());
  const uintptr_t base = range.base();
  range = {};
  EXPECT_TRUE(AddressRange::Reserve(base, kBytes).valid());
}

TEST(AddressRange, NoneIsWithinTheOffsetAboveTheHeap) {
  // Takes all the addresses that are tried first, one by one. After that the
  // rank must propose an address.
  std::vector<AddressRange> taken;
  for (int i = 0; i < 4; ++i) {
    absl::StatusOr<AddressRange> far =
        ReserveEverywhere(job::JobAlone(), kBytes, UINTPTR_MAX);
    if (!far.ok()) break;
    EXPECT_FALSE(IsAboveHeap(far->base()));
    taken.push_back(*std::move(far));
  }
  absl::StatusOr<AddressRange> near =
      ReserveEverywhere(job::JobAlone(), kBytes, 0);
  ASSERT_TRUE(near.ok());
}

TEST(AddressRange, OfOneRankIsFarFromTheHeapWhereThatCanBe) {
  const AddressRange usual = AddressRange::Reserve(0, kBytes);
  ASSERT_TRUE(usual.valid());
  const auto heap_end = reinterpret_cast<uintptr_t>(sbrk(0));
  for (const uintptr_t offset :
       {uintptr_t{0}, uintptr_t{kBytes}, usual.base() - heap_end + kBytes,
        UINTPTR_MAX}) {
    const absl::StatusOr<AddressRange> range =
        ReserveFarFromHeap(kBytes, offset);
    if (!range.ok()) {
      EXPECT_GT(offset, kBytes) << range.status();
      continue;
    }
    EXPECT_TRUE(range->valid());
    EXPECT_EQ(range->bytes(), kBytes);
    EXPECT_FALSE(IsTooNearHeap(range->base(), offset)) << offset;
  }
}

TEST(AddressRange, TheOffsetCountsFromTheEndOfTheHeapUpwards) {
  const auto heap_end = reinterpret_cast<uintptr_t>(sbrk(0));
  EXPECT_TRUE(IsTooNearHeap(heap_end, 1));
  EXPECT_TRUE(IsTooNearHeap(heap_end + 99, 100));
  EXPECT_FALSE(IsTooNearHeap(heap_end + 100, 100));
  EXPECT_FALSE(IsTooNearHeap(heap_end - 1, UINTPTR_MAX));
  EXPECT_FALSE(IsTooNearHeap(heap_end, 0));
}

}  // namespace
}  // namespace gasnet::hostshm
