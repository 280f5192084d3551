// Checks that an address range of this process is mapped. A peer's request or a
// careless program may name a range that is not mapped, and touching that range
// would crash this process.
//
// Each thread remembers the last two readable and the last two writable ranges
// that it has found. So the usual check costs two comparisons. A thread still
// remembers a range after the program has unmapped it. So an operation on
// memory that the program has unmapped may crash the program, as if the program
// had touched that memory itself.
#ifndef PORTALS_MEMORY_PRESENCE_H_
#define PORTALS_MEMORY_PRESENCE_H_

#include <cstdint>

namespace gasnet::portals4 {

struct PresentRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  bool Contains(uint64_t start, uint64_t size) const {
    return start >= begin && start < end && size <= end - start;
  }
};

// One mapping of this process: a line of /proc/self/maps.
struct VirtualArea {
  PresentRange range;
  bool readable = false;
  bool writable = false;
  bool shared = false;
  uint64_t file_offset = 0;
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  uint64_t inode = 0;  // 0: the area has no file
};

// Finds the area that contains an address. Returns false if there is none.
bool FindArea(uint64_t address, VirtualArea& area);

enum class Access { kRead, kWrite };

namespace internal {
struct Remembered {
  PresentRange readable[2];
  PresentRange writable[2];
};
extern thread_local constinit Remembered remembered;
bool LookForMemory(uint64_t start, uint64_t size, Access access);
}  // namespace internal

// Returns true if [start, start + size) is mapped.
inline bool IsPresent(uint64_t start, uint64_t size, Access access) {
  if (size == 0) return true;
  const internal::Remembered& known = internal::remembered;
  const PresentRange* const ranges =
      access == Access::kRead ? known.readable : known.writable;
  if (ranges[0].Contains(start, size) || ranges[1].Contains(start, size)) {
    return true;
  }
  return internal::LookForMemory(start, size, access);
}

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_PRESENCE_H_
