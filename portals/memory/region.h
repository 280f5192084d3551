// The memory of an interface of this process, and how a peer finds it.
//
// A process claims its identifier (nid, pid) by listening on an abstract socket
// of that name: it is in no file system and goes with the process, and two
// processes cannot have the same. A process that looks for it connects, and the
// kernel says which process listens. The memory is a memfd, opened through that
// process's /proc/PID/fd by its label.
//
// Where the kernel lets us open none of its descriptors, it hands the memory
// out (memory/door.h).
//
// The owner accepts such connections when it has time, as they fill its backlog
// although the other end is closed. While the backlog is full, since the owner
// computes or is stopped, the label is looked for among the descriptors of all
// processes: slower, by a system call for each descriptor, and as sure.
#ifndef PORTALS_MEMORY_REGION_H_
#define PORTALS_MEMORY_REGION_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "portals/engine/operation.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

// Of this host and network namespace.
uint32_t HostNid();

// Identifiers are those of a job from now on, told from others by its name.
void NameJob(uint64_t name);

// Holds (nid, pid) for this process; invalid when it is taken (EADDRINUSE), or
// there is no descriptor left.
UniqueFd ClaimPid(uint32_t nid, uint32_t pid);
// Says which process has (nid, pid): one of another user, or of any.
void TellHolder(uint32_t nid, uint32_t pid, bool of_any_user);
// The name of an interface's memory.
std::string LabelOf(uint32_t nid, uint32_t pid, uint32_t kind);
// Makes room in the backlog of a claim.
void AcceptLookers(const UniqueFd& claim);

// The process that claims an identifier, as it was found last.
class Claimer {
 public:
  // Asks the kernel, unless it has done so a moment ago and that process lives:
  // to ask takes room in the backlog. 0: there is none. Negative: there is one,
  // but its backlog is full.
  pid_t Find(uint32_t nid, uint32_t pid);
  // Asks that process for memory of that label; not again soon after one that
  // handed out none. Invalid: there is none, which it says the first time.
  UniqueFd Ask(uint32_t nid, uint32_t pid, const std::string& label);

 private:
  ProcessWord process_ = 0;
  int64_t asked_ = 0;
  int64_t refused_ = -kAskAtDoorAgain;
};

// Mapped memory of an interface. Unmapped when destroyed, our own but for a
// page (UnmapLeft).
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
  static Region Attach(uint32_t nid, uint32_t pid, uint32_t kind,
                       Claimer& claimer);

 private:
  static Region AttachTo(pid_t process, UniqueFd file);

  UniqueFd file_;
  void* memory_ = nullptr;
  size_t size_ = 0;
  Counts counts_ = {};
  pid_t pid_ = 0;
  bool own_ = false;
};

// Of ours: peers are refused from now on.
void Retire(const View& view);

// Unmaps the pages of our own that are left. No thread holds what is in them.
void UnmapLeft();

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_REGION_H_
