// One rank's remote-access segment, in that rank's address space
// (spec 2.1.0.2).
#ifndef CORE_SEGMENT_H_
#define CORE_SEGMENT_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

struct Segment {
  uintptr_t base = 0;
  uintptr_t size = 0;  // bytes; 0: no segment

  // Whether [address, address+nbytes) lies inside. Never overflows.
  bool Contains(uintptr_t address, size_t nbytes) const {
    const uintptr_t offset = address - base;
    return offset <= size && nbytes <= size - offset;
  }
  bool Contains(const void* address, size_t nbytes) const {
    return Contains(reinterpret_cast<uintptr_t>(address), nbytes);
  }
};

}  // namespace gasnet

#endif  // CORE_SEGMENT_H_
