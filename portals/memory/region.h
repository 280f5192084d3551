// The memory of an interface of this process, and the ways in which a peer
// finds that memory.
//
// A process claims its identifier (nid, pid) by listening on an abstract socket
// of that name. An abstract socket is in no file system and disappears with its
// process. Two processes cannot have the same one. A peer that looks for the
// claimer connects to the socket, and the kernel reports the listening process.
// The memory is a memfd with a label. The peer finds that label in the
// claimer's /proc/PID/fd and opens the memfd there.
//
// If the kernel lets peers open none of the process's descriptors, the process
// hands the memory out (memory/door.h).
//
// The peers' connections fill the claimer's backlog, even after a peer has
// closed its end. The claimer accepts them when it has time. While the claimer
// computes or is stopped, its backlog may be full. A peer then looks for the
// label among the descriptors of all processes. This search is as reliable, but
// costs a system call for each descriptor.
#ifndef PORTALS_MEMORY_REGION_H_
#define PORTALS_MEMORY_REGION_H_

#include <pthread.h>
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

// Puts this process's identifiers into the name space of a job from now on.
// Different jobs need different values of `name`.
void NameJob(uint64_t name);

// Claims (nid, pid) for this process. Returns an invalid descriptor if another
// process has claimed the identifier (EADDRINUSE), or no descriptor is left.
UniqueFd ClaimPid(uint32_t nid, uint32_t pid);
// Warns that another process has claimed (nid, pid), and names that process.
// Warns only of a process of another user, unless of_any_user is true.
void TellHolder(uint32_t nid, uint32_t pid, bool of_any_user);
// Returns the label of an interface's memory.
std::string LabelOf(uint32_t nid, uint32_t pid, uint32_t kind);
// Accepts and closes the connections in the backlog of a claim.
void AcceptLookers(const UniqueFd& claim);

// The process that claims an identifier, as last found.
class Claimer {
 public:
  // Returns the process, or 0 if no process claims the identifier. Returns a
  // negative number if the claimer's backlog is full. Asking the kernel takes a
  // place in the backlog. So an answer is used again for a moment while its
  // process lives.
  pid_t Find(uint32_t nid, uint32_t pid);
  // Asks the claimer for the memory with this label. Returns an invalid
  // descriptor if the claimer hands out none, and prints a warning the first
  // time. After that, does not ask the claimer again for a while.
  UniqueFd Ask(uint32_t nid, uint32_t pid, const std::string& label);

 private:
  ProcessWord process_ = 0;
  int64_t asked_ = 0;
  int64_t refused_ = -kAskAtDoorAgain;
};

// The mapped memory of an interface. The destructor unmaps the memory. If it
// belongs to this process, one page stays mapped until UnmapLeft.
class Region {
 public:
  Region() = default;
  Region(Region&& other) noexcept;
  Region& operator=(Region&&) = delete;
  ~Region();

  bool valid() const { return memory_ != nullptr; }
  void* memory() const { return memory_; }
  const Counts& counts() const { return counts_; }
  // Returns the file. Only the owner has one: returns -1 for peers and after
  // Close.
  int file() const { return file_.get(); }
  pid_t pid() const { return pid_; }
  // Marks the memory as gone. From now on peers are refused. Owner only.
  void Retire();
  // Closes the file. From now on no peer finds the memory, and nobody wakes a
  // thread that sleeps on a word of the first page. Owner only.
  void Close();

  // The fields of the header that the owner chooses.
  struct Identity {
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
    uint32_t kind;
    uint32_t max_list_size;
    uint32_t coherent = 0;
  };
  // Makes memory of this process that peers can find. Returns an invalid region
  // if there is not enough memory.
  static Region Create(const Identity& identity, const Counts& counts);
  // Maps the memory of a peer. Returns an invalid region if the peer's memory
  // is not found or not ready.
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
  pthread_mutex_t held_ = {};  // the header's `life`, as it was locked
  bool released_ = false;      // true if no thread holds `life` any more
};

// Unmaps the remaining pages of this process's destroyed regions. No thread may
// hold locks in these pages.
void UnmapLeft();

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_REGION_H_
