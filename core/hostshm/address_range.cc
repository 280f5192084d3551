#include "core/hostshm/address_range.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "base/sanitizer.h"
#include "core/hostshm/tuning.h"
#include "job/gather.h"

namespace gasnet::hostshm {
namespace {

// Addresses far from the ones that Linux uses for programs, heaps, libraries
// and stacks. The smaller ones are for machines with fewer address bits.
constexpr uintptr_t kLikelyFree[] = {
#if __SIZEOF_POINTER__ == 8
    0x2000'0000'0000,
    0x1800'0000'0000,
    0x60'0000'0000,
#endif
};

uintptr_t HeapEnd() { return reinterpret_cast<uintptr_t>(sbrk(0)); }

// Alignment of segments: a multiple of every usual page size.
constexpr uintptr_t kAlignment = 2 << 20;

// Returns the first aligned address that is at least min_heap_offset bytes
// above the heap; 0 if there is no such address.
uintptr_t FirstFarFromHeap(uintptr_t min_heap_offset) {
  const uintptr_t room = UINTPTR_MAX - HeapEnd();
  if (room < kAlignment || min_heap_offset > room - kAlignment) return 0;
  return (HeapEnd() + min_heap_offset + kAlignment - 1) / kAlignment *
         kAlignment;
}

// One rank's result of one attempt to reserve a range.
struct AttemptResult {
  uint64_t free_here;
};

bool FreeEverywhere(job::Job& job, bool free_here) {
  const std::vector<AttemptResult> all =
      job::Gather(job, AttemptResult{free_here});
  return std::all_of(all.begin(), all.end(),
                     [](const AttemptResult& a) { return a.free_here != 0; });
}

// Reserves the range at `address` on all ranks. All ranks pass the same
// address. mine: the range if this rank has already reserved it.
AddressRange TryEverywhere(job::Job& job, uintptr_t address, size_t bytes,
                           uintptr_t min_heap_offset, AddressRange mine) {
  if (IsTooNearHeap(address, min_heap_offset)) {
    mine = {};
  } else if (!mine.valid()) {
    mine = AddressRange::Reserve(address, bytes);
  }
  if (FreeEverywhere(job, mine.valid())) return mine;
  return {};
}

// Reserves a range on all ranks, at an address that is free on `proposer`.
AddressRange TryProposal(job::Job& job, uint32_t proposer, size_t bytes,
                         uintptr_t min_heap_offset) {
  AddressRange mine;
  if (job.rank() == proposer) mine = AddressRange::Reserve(0, bytes);
  const uintptr_t address = job::Gather(job, mine.base())[proposer];
  return TryEverywhere(job, address, bytes, min_heap_offset, std::move(mine));
}

}  // namespace

bool IsTooNearHeap(uintptr_t base, uintptr_t min_heap_offset) {
  return base >= HeapEnd() && base - HeapEnd() < min_heap_offset;
}

AddressRange::~AddressRange() {
  if (base_ != 0) munmap(reinterpret_cast<void*>(base_), bytes_);
}

AddressRange AddressRange::Reserve(uintptr_t address, size_t bytes) {
  // The address is only a hint: the kernel follows it if it can. A client's
  // sanitizer intercepts mmap and replaces most hints by 0. MAP_FIXED_NOREPLACE
  // would be worse: the sanitizer would still replace the address by 0, and
  // would end the process if the kernel then allows a mapping at 0.
  void* const got = mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return {};
  AddressRange range(reinterpret_cast<uintptr_t>(got), bytes);
  if (address != 0 && range.base() != address) return {};
  return range;
}

absl::StatusOr<AddressRange> ReserveEverywhere(job::Job& job, size_t bytes,
                                               uintptr_t min_heap_offset) {
  for (const uintptr_t address : kLikelyFree) {
    AddressRange range =
        TryEverywhere(job, address, bytes, min_heap_offset, {});
    if (range.valid()) return range;
  }
  for (uint32_t attempt = 0; attempt < kMaxProposals; ++attempt) {
    AddressRange range =
        TryProposal(job, attempt % job.size(), bytes, min_heap_offset);
    if (range.valid()) return range;
  }
  return absl::ResourceExhaustedError(
      "no range of addresses for the segments is free on all ranks; ask for "
      "smaller segments or a smaller minheapoffset");
}

absl::StatusOr<AddressRange> ReserveFarFromHeap(size_t bytes,
                                                uintptr_t min_heap_offset) {
  std::vector<uintptr_t> places = {0, FirstFarFromHeap(min_heap_offset)};
  if constexpr (!kThreadSanitizer) {
    places.insert(places.end(), std::begin(kLikelyFree), std::end(kLikelyFree));
  }
  for (const uintptr_t address : places) {
    AddressRange range = AddressRange::Reserve(address, bytes);
    if (range.valid() && !IsTooNearHeap(range.base(), min_heap_offset)) {
      return range;
    }
  }
  return absl::ResourceExhaustedError(
      "no range of addresses for the segment is free and far enough from the "
      "heap; ask for a smaller segment or a smaller minheapoffset");
}

}  // namespace gasnet::hostshm
