// The memory of an interface of this process, and how a peer finds it.
//
// A process claims its identifier (nid, pid) by listening on an abstract socket
// of that name: it is in no file system and goes with the process, and two
// processes cannot have the same. Nobody accepts: who looks for the process
// connects, and the kernel says which process listens. The memory is a memfd,
// opened through that process's /proc/PID/fd by its label.
#ifndef PORTALS_MEMORY_REGION_H_
#define PORTALS_MEMORY_REGION_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/unique_fd.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Of this host and network namespace.
uint32_t HostNid();

// Identifiers are those of a job from now on, told from others by its name.
void NameJob(uint64_t name);

// Holds (nid, pid) for this process; invalid when it is taken.
UniqueFd ClaimPid(uint32_t nid, uint32_t pid);

// Mapped memory of an interface. Unmapped when destroyed, our own but for a
// page.
class Region {
 public:
  Region() = default;
  Region(Region&& other) noexcept;
  Region& operator=(Region&&) = delete;
  ~Region();

  bool valid() const { return memory_ != nullptr; }
  void* memory() const { return memory_; }
  const Counts& counts() const { return counts_; }
  // The owner's, until it closes it; else -1.
  int file() const { return file_.get(); }
  pid_t pid() const { return pid_; }
  // The owner's: from now on nobody finds it.
  void Close() { file_.Reset(); }

  // The contents of the header.
  struct Identity {
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
    uint32_t kind;
    uint32_t max_list_size;
  };
  // Ours, ready for peers. Invalid where there is no memory.
  static Region Create(const Identity& identity, const Counts& counts);
  // A peer's that is ready; else invalid.
  static Region Attach(uint32_t nid, uint32_t pid, uint32_t kind);

 private:
  UniqueFd file_;
  void* memory_ = nullptr;
  size_t size_ = 0;
  Counts counts_ = {};
  pid_t pid_ = 0;
  bool own_ = false;
};

// Of ours: peers are refused from now on.
void Retire(const View& view);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_REGION_H_
