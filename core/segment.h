// Remote-access segments (spec 2.1.0.2).
#ifndef CORE_SEGMENT_H_
#define CORE_SEGMENT_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// One rank's segment, in that rank's address space.
struct Segment {
  uintptr_t base = 0;
  uintptr_t size = 0;  // bytes; 0 if there is no segment

  // Returns true if [address, address+nbytes) lies inside the segment. The
  // computation never overflows.
  bool Contains(uintptr_t address, size_t nbytes) const {
    const uintptr_t offset = address - base;
    return offset <= size && nbytes <= size - offset;
  }
  bool Contains(const void* address, size_t nbytes) const {
    return Contains(reinterpret_cast<uintptr_t>(address), nbytes);
  }
};

// The mapping of one rank's segment into this process: [base, base+size) in
// that rank's address space is [map, map+size) in this process. size is 0 if
// the segment is not mapped.
struct MappedSegment {
  uintptr_t base = 0;
  uintptr_t size = 0;
  unsigned char* map = nullptr;

  // Converts an address of the mapped rank to an address in this process.
  // Returns null if that address is not mapped here.
  void* Find(const void* address) const {
    const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - base;
    return offset < size ? map + offset : nullptr;
  }
  uintptr_t Displacement() const {
    return reinterpret_cast<uintptr_t>(map) - base;
  }
};

// Means that ranks exchange no values about segments other than the segments
// themselves.
struct NothingExposed {};

// The parameters of a call that creates a segment. Handlers are already
// registered.
struct AttachRequest {
  uintptr_t segment_size = 0;     // bytes, a multiple of GASNET_PAGESIZE
  uintptr_t min_heap_offset = 0;  // bytes
  // the kind of barrier; the same on all ranks
  uint32_t barrier = 0;
  const char* call = "gasnet_attach";  // the call's name, for messages
};

}  // namespace gasnet

#endif  // CORE_SEGMENT_H_
