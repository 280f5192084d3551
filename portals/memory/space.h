// The memory of one process, as this process accesses it. Own memory, and
// memory in a file that this process can map too, is accessed by plain loads
// and stores, other memory by process_vm_readv and process_vm_writev. If the
// kernel refuses those, a thread of the owner copies (memory/help.h).
//
// The owner lists in its shared memory those of its mappings that are of files
// (MapRecord; memory/shared_maps.h). This process maps one when an operation
// first needs it, through /proc/PID/fd, and keeps it until the end. A mapping
// that fails, for instance since this process has no descriptor left, is tried
// again, ever more rarely (tuning.h). Until then its memory is accessed like
// other memory.
//
// Any thread. The mapping of a slot of `maps` never changes afterwards; a
// pointer in `mapped_` is published with release and read with acquire.
#ifndef PORTALS_MEMORY_SPACE_H_
#define PORTALS_MEMORY_SPACE_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "portals/engine/view.h"
#include "portals/memory/presence.h"

namespace gasnet::portals4 {

class Space {
 public:
  // Describes the memory of this process, or of another one. `view` has its
  // MapRecords.
  Space(const View& view, pid_t pid, bool own)
      : view_(view), pid_(pid), own_(own) {}
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  ~Space();

  bool own() const { return own_; }
  pid_t pid() const { return pid_; }

  // Returns the address at which this process can access the memory directly,
  // if all of it lies in that mapping (1 + slot); else null. That holds for
  // this process's own memory too, through a mapping that the program cannot
  // unmap.
  std::byte* Mapped(uint64_t start, uint64_t size, uint32_t mapping,
                    Access access) {
    if (mapping - 1 >= kMaps) return nullptr;
    const Mapping* known = mapped_[mapping - 1].load(std::memory_order_acquire);
    if (known == nullptr) [[unlikely]] {
      known = Map(mapping - 1);
      if (known == nullptr) return nullptr;
    }
    if (!known->range.Contains(start, size) ||
        (access == Access::kWrite && !known->writable)) {
      return nullptr;
    }
    return known->base + (start - known->range.begin);
  }

  // Copy between that memory and this process's. They return false if it is not
  // there.
  bool Read(uint64_t from, void* to, size_t size);
  bool Write(uint64_t to, const void* from, size_t size);

 private:
  struct Mapping {
    std::byte* base = nullptr;
    Range range;  // range of the owner's addresses
    bool writable = false;
  };

  bool Move(HelpDesk::Way way, uint64_t there, void* here, size_t size);
  // Does the same if the kernel refuses process_vm_readv and process_vm_writev.
  bool MoveOtherwise(HelpDesk::Way way, uint64_t there, void* here,
                     size_t size);

  // Maps that mapping. Returns null if that fails, or it is too early to try
  // again.
  const Mapping* Map(uint32_t index);
  bool Open(const MapRecord& record, Mapping& mapping);

  const View& view_;
  const pid_t pid_;
  const bool own_;
  std::atomic<bool> refused_{false};
  std::atomic<const Mapping*> mapped_[kMaps] = {};
  std::atomic<uint32_t> wanted_[kMaps] = {};  // uses without a mapping
};

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SPACE_H_
