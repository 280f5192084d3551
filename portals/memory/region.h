// The memory of an interface of this process, and the ways by which a peer
// finds it.
//
// A process claims its identifier (nid, pid) by listening on an abstract socket
// of that name. Such a socket is in no file system, goes with the process, and
// two processes cannot have the same. A process that looks for the claimer
// connects, and the kernel reports the listening process. The memory is a
// memfd, which is found by its label in that process's /proc/PID/fd and opened
// there.
//
// If the kernel lets peers open none of the process's descriptors, the process
// hands the memory out (memory/door.h).
//
// The owner accepts such connections when it has time, since they fill its
// backlog although the other end is closed. While the backlog is full, because
// the owner computes or is stopped, a peer looks for the label among the
// descriptors of all processes. That is slower, by a system call for each
// descriptor, and as reliable.
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

// The nid of this host and network namespace.
uint32_t HostNid();

// Makes this process's identifiers those of a job from now on; `name`
// distinguishes jobs.
void NameJob(uint64_t name);

// Claims (nid, pid) for this process. The result is invalid if it is taken
// (EADDRINUSE), or no descriptor is left.
UniqueFd ClaimPid(uint32_t nid, uint32_t pid);
// Warns which process has (nid, pid). It looks among processes of another user,
// or of any.
void TellHolder(uint32_t nid, uint32_t pid, bool of_any_user);
// Returns the name of an interface's memory.
std::string LabelOf(uint32_t nid, uint32_t pid, uint32_t kind);
// Accepts the connections in the backlog of a claim.
void AcceptLookers(const UniqueFd& claim);

// The process that claims an identifier, as it was last found.
class Claimer {
 public:
  // Returns the process. Asks the kernel, unless it has done so a moment ago
  // and that process lives: asking takes room in the backlog. 0: there is none.
  // Negative: there is one, but its backlog is full.
  pid_t Find(uint32_t nid, uint32_t pid);
  // Asks that process for memory of that label, but not again soon after it
  // handed out none. Invalid if there is none; warns of that the first time.
  UniqueFd Ask(uint32_t nid, uint32_t pid, const std::string& label);

 private:
  ProcessWord process_ = 0;
  int64_t asked_ = 0;
  int64_t refused_ = -kAskAtDoorAgain;
};

// The mapped memory of an interface. The destructor unmaps it; of this
// process's own it leaves one page (UnmapLeft).
class Region {
 public:
  Region() = default;
  Region(Region&& other) noexcept;
  Region& operator=(Region&&) = delete;
  ~Region();

  bool valid() const { return memory_ != nullptr; }
  void* memory() const { return memory_; }
  const Counts& counts() const { return counts_; }
  // The owner's file until Close; else -1.
  int file() const { return file_.get(); }
  pid_t pid() const { return pid_; }
  // Owner only: from now on nobody finds the memory.
  void Close() { file_.Reset(); }

  // The contents of the header.
  struct Identity {
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
    uint32_t kind;
    uint32_t max_list_size;
  };
  // Makes memory of this process, ready for peers. Invalid if there is no
  // memory.
  static Region Create(const Identity& identity, const Counts& counts);
  // Maps the memory of a peer that is ready; else invalid.
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

// Owner only: peers are refused from now on.
void Retire(const View& view);

// Unmaps the pages of this process's own memory that are left. No thread may
// hold what is in them.
void UnmapLeft();

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_REGION_H_
