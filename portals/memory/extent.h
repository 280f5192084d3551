// A piece of some process's memory that an operation reads or writes: one
// range, or the elements of an iovec as if they were contiguous.
//
// The memory of this process has three degrees of trust:
//
// - Trusted memory is touched without a check.
// - Doubtful memory may be unmapped by the program at any time. It is never
//   touched through the program's mapping. If the memory has a file, this
//   process maps the file once more, as peers do. Otherwise the kernel copies.
// - Other memory is checked first. The check may lack a descriptor. So the
//   kernel copies if the check does not find the memory.
//
// Copy returns false if some of the memory does not exist. It may then have
// copied the rest.
#ifndef PORTALS_MEMORY_EXTENT_H_
#define PORTALS_MEMORY_EXTENT_H_

#include <cstddef>
#include <cstdint>

#include "portals/memory/space.h"

namespace gasnet::portals4 {

struct Extent {
  // The constructor is deliberately not constexpr. With a constexpr
  // constructor, the compiler would clear the object with a string instruction,
  // and that is slow to start. With this one, it fills objects with an Extent
  // field by field.
  Extent() {}

  Space* space = nullptr;
  uint64_t start = 0;  // start of the range
  uint32_t mapping = 0;
  uint32_t iov_count = 0;
  const IovRecord* iov = nullptr;  // null: one range
  enum class Trust : uint8_t { kLook, kTrusted, kDoubtful };
  Trust trust = Trust::kLook;
};

namespace internal {
inline std::byte* TouchableAt(const Extent& extent, uint64_t start,
                              uint64_t size, Access access) {
  if (!extent.space->own() || extent.trust == Extent::Trust::kDoubtful) {
    return extent.space->Mapped(start, size, extent.mapping, access);
  }
  if (extent.trust != Extent::Trust::kTrusted &&
      !IsPresent(start, size, access)) {
    return nullptr;
  }
  return reinterpret_cast<std::byte*>(start);
}
// Does the same as TouchableAt, but for an iovec.
std::byte* TouchableOfMany(const Extent& extent, uint64_t offset, uint64_t size,
                           Access access);
}  // namespace internal

// Returns an address at which this process can touch [offset, offset + size),
// or null. If the memory belongs to this process, checks that the memory
// exists.
inline std::byte* Touchable(const Extent& extent, uint64_t offset,
                            uint64_t size, Access access) {
  return extent.iov == nullptr
             ? internal::TouchableAt(extent, extent.start + offset, size,
                                     access)
             : internal::TouchableOfMany(extent, offset, size, access);
}

bool Copy(const Extent& to, uint64_t to_offset, const Extent& from,
          uint64_t from_offset, uint64_t size);

// CopyOut copies from an extent, and CopyIn copies to an extent. The other
// memory exists and belongs to this process.
bool CopyOut(void* to, const Extent& from, uint64_t offset, uint64_t size);
bool CopyIn(const Extent& to, uint64_t offset, const void* from, uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_EXTENT_H_
