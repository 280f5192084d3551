// A reserved, inaccessible range of this process's address space, and the
// search for a range that is free on every rank.
#ifndef CORE_HOSTSHM_ADDRESS_RANGE_H_
#define CORE_HOSTSHM_ADDRESS_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "job/job.h"

namespace gasnet::hostshm {

// Owns the range: unmaps it when destroyed, unless released before.
class AddressRange {
 public:
  AddressRange() = default;
  AddressRange(AddressRange&& other) noexcept
      : base_(std::exchange(other.base_, 0)), bytes_(other.bytes_) {}
  AddressRange& operator=(AddressRange&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AddressRange();

  // Reserves a range at exactly this address, or at any address if `address` is
  // 0. The result is not valid if the range at this address is not free.
  static AddressRange Reserve(uintptr_t address, size_t bytes);

  bool valid() const { return base_ != 0; }
  uintptr_t base() const { return base_; }
  size_t bytes() const { return bytes_; }
  uintptr_t Release() { return std::exchange(base_, 0); }

 private:
  AddressRange(uintptr_t base, size_t bytes) : base_(base), bytes_(bytes) {}

  uintptr_t base_ = 0;
  size_t bytes_ = 0;
};

// Collective. Reserves a range of `bytes` bytes at the same address on all
// ranks. The range does not begin within min_heap_offset bytes above any rank's
// heap.
absl::StatusOr<AddressRange> ReserveEverywhere(job::Job& job, size_t bytes,
                                               uintptr_t min_heap_offset);

// Returns true if `base` is within min_heap_offset bytes above this rank's
// heap.
bool IsTooNearHeap(uintptr_t base, uintptr_t min_heap_offset);

// Reserves a range for this rank alone. The range does not begin within
// min_heap_offset bytes above this rank's heap.
absl::StatusOr<AddressRange> ReserveFarFromHeap(size_t bytes,
                                                uintptr_t min_heap_offset);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_ADDRESS_RANGE_H_
