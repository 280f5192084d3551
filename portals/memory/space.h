// The memory of one process, as this process accesses it. There are three ways:
//
// - Plain loads and stores, for this process's own memory and for memory in a
//   file that this process can map too.
// - process_vm_readv and process_vm_writev, for other memory.
// - A copy by a thread of the owner (memory/help.h), if the kernel refuses
//   those calls.
//
// The owner lists its mappings of files in its shared memory (MapRecord;
// memory/shared_maps.h). This process maps such a file, through /proc/PID/fd,
// when an operation first needs it, and keeps the mapping until the end. The
// mapping may fail, for instance because no descriptor is left. Then this
// process tries again, ever more rarely (tuning.h). Until a try succeeds, it
// accesses the memory in the file like other memory.
//
// Any thread may use a Space. A mapping in a slot of `mapped_` never changes.
// Its pointer is published with release and read with acquire.
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
  // Describes the memory of the process `pid`. `own` is true for this process.
  // `view` has the MapRecords of the described process.
  Space(const View& view, pid_t pid, bool own)
      : view_(view), pid_(pid), own_(own) {}
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  ~Space();

  bool own() const { return own_; }
  pid_t pid() const { return pid_; }

  // Returns the address at which this process can access [start, start + size)
  // directly. All of it must lie in the given mapping (1 + slot); otherwise
  // returns null. If the memory is this process's own, the address is in a
  // second mapping. The program cannot unmap that mapping.
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

  // Read copies from the memory that this Space describes, and Write copies to
  // it. They return false if the described memory does not exist.
  bool Read(uint64_t from, void* to, size_t size);
  bool Write(uint64_t to, const void* from, size_t size);

 private:
  struct Mapping {
    std::byte* base = nullptr;
    PresentRange range;  // the owner's addresses of the mapped memory
    bool writable = false;
  };

  bool Move(HelpDesk::Way way, uint64_t there, void* here, size_t size);
  // Does the same as Move. Called if the kernel refuses process_vm_readv and
  // process_vm_writev.
  bool MoveOtherwise(HelpDesk::Way way, uint64_t there, void* here,
                     size_t size);

  // Maps the file of a MapRecord. Returns null on failure, or if it is too
  // early to try again.
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
