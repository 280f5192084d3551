// The memory of an interface of this process, and the ways in which a peer
// finds it.
//
// A process claims its identifier (nid, pid) by listening on an abstract socket
// of that name. Such a socket is in no file system, disappears with the
// process, and two processes cannot have the same. A process that looks for the
// claimer connects, and the kernel reports the listening process. The memory is
// a memfd. The peer finds it by its label in that process's /proc/PID/fd and
// opens it there.
//
// If the kernel lets peers open none of the process's descriptors, the process
// hands the memory out (memory/door.h).
//
// The owner accepts such connections when it has time, since they fill its
// backlog although the other end is closed. While the backlog is full, because
// the owner computes or is stopped, a peer looks for the label among the
// descriptors of all processes. That is as reliable, but slower by a system
// call for each descriptor.
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

// Returns the nid of this host and network namespace.
uint32_t HostNid();

// Makes this process's identifiers those of a job from now on; `name`
// distinguishes jobs.
void NameJob(uint64_t name);

// Claims (nid, pid) for this process. The result is invalid if another process
// has it (EADDRINUSE), or no descriptor is left.
UniqueFd ClaimPid(uint32_t nid, uint32_t pid);
// Warns that another process has (nid, pid), and names it. Does so only for a
// process of another user, unless of_any_user is true.
void TellHolder(uint32_t nid, uint32_t pid, bool of_any_user);
// Returns the name of an interface's memory.
std::string LabelOf(uint32_t nid, uint32_t pid, uint32_t kind);
// Accepts the connections in the backlog of a claim.
void AcceptLookers(const UniqueFd& claim);

// The process that claims an identifier, as last found.
class Claimer {
 public:
  // Returns the process. Asks the kernel, unless it has done so a moment ago
  // and that process lives: asking takes room in the backlog. Returns 0 if
  // there is no such process, and a negative number if there is one, but its
  // backlog is full.
  pid_t Find(uint32_t nid, uint32_t pid);
  // Asks that process for memory of that label, but not again soon after it
  // handed out none. Returns an invalid descriptor if there is none, and warns
  // of that the first time.
  UniqueFd Ask(uint32_t nid, uint32_t pid, const std::string& label);

 private:
  ProcessWord process_ = 0;
  int64_t asked_ = 0;
  int64_t refused_ = -kAskAtDoorAgain;
};

// The mapped memory of an interface. The destructor unmaps it, except one page
// of this process's own memory (UnmapLeft).
class Region {
 public:
  Region() = default;
  Region(Region&& other) noexcept;
  Region& operator=(Region&&) = delete;
  ~Region();

  bool valid() const { return memory_ != nullptr; }
  void* memory() const { return memory_; }
  const Counts& counts() const { return counts_; }
  // Returns the owner's file until Close, and -1 later or for peers.
  int file() const { return file_.get(); }
  pid_t pid() const { return pid_; }
  // Hides the memory: from now on nobody finds it. Owner only.
  void Close() { file_.Reset(); }

  // The contents of the header.
  struct Identity {
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
    uint32_t kind;
    uint32_t max_list_size;
  };
  // Makes memory of this process, ready for peers. Returns an invalid region if
  // there is no memory.
  static Region Create(const Identity& identity, const Counts& counts);
  // Maps the memory of a peer that is ready. Otherwise returns an invalid
  // region.
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

// Refuses peers from now on. Owner only.
void Retire(const View& view);

// Unmaps the remaining pages of this process's own memory. No thread may hold
// locks in them.
void UnmapLeft();

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_REGION_H_
