// A piece of some process's memory that an operation reads or writes: one
// range, or the elements of an iovec as if they lay side by side.
//
// Of our own process's memory, what is trusted is touched without a look; what
// is doubtful, because a program may unmap it at any time, is never touched
// where it lies: a file behind it is mapped once more, as peers do, and what
// has none is left to the kernel; the rest is looked up, and left to the kernel
// where it is not found, as there may be no descriptor to look with. Copy
// answers false where memory is not there; part of it may have been copied
// then.
#ifndef PORTALS_MEMORY_EXTENT_H_
#define PORTALS_MEMORY_EXTENT_H_

#include <cstddef>
#include <cstdint>

#include "portals/memory/space.h"

namespace gasnet::portals4 {

struct Extent {
  // No constant expression: what contains one is then filled field by field,
  // and not cleared by an instruction for long memory, which is slow to start.
  Extent() {}

  Space* space = nullptr;
  uint64_t start = 0;  // of the range
  uint32_t mapping = 0;
  uint32_t iov_count = 0;
  const IovRecord* iov = nullptr;  // null: a range
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
// Of an iovec.
std::byte* TouchableOfMany(const Extent& extent, uint64_t offset, uint64_t size,
                           Access access);
}  // namespace internal

// Where [offset, offset + size) of it can be touched, or null. Looks whether
// own memory is there.
inline std::byte* Touchable(const Extent& extent, uint64_t offset,
                            uint64_t size, Access access) {
  return extent.iov == nullptr
             ? internal::TouchableAt(extent, extent.start + offset, size,
                                     access)
             : internal::TouchableOfMany(extent, offset, size, access);
}

bool Copy(const Extent& to, uint64_t to_offset, const Extent& from,
          uint64_t from_offset, uint64_t size);

// The same with memory of ours that is sure to be there.
bool CopyOut(void* to, const Extent& from, uint64_t offset, uint64_t size);
bool CopyIn(const Extent& to, uint64_t offset, const void* from, uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_EXTENT_H_
