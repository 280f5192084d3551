// A word that identifies one process of this host until the host restarts. A
// lock in shared memory uses the word to name its holder.
//
// The kernel reuses process numbers, so the word consists of the process's
// number and its start time. The word 0 identifies no process. Any thread may
// call these functions.
#ifndef PORTALS_ENGINE_PROCESS_H_
#define PORTALS_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>

namespace gasnet::portals4 {

using ProcessWord = uint64_t;

namespace internal {
extern ProcessWord this_process;
}  // namespace internal

// Identifies this process. Call it before the functions below, and again in a
// forked child.
void IdentifyThisProcess();

// Returns this process's word. Valid only after IdentifyThisProcess.
inline ProcessWord ThisProcess() { return internal::this_process; }

// Returns the word of the process `pid`, or 0 if there is no such process.
ProcessWord IdentifyProcess(pid_t pid);

constexpr pid_t PidOf(ProcessWord process) {
  return static_cast<pid_t>(process & 0xffffffff);
}

// The life of a process. kOver: the process has ended, even if its parent has
// not waited for it yet. If the kernel gives no answer, for instance because no
// descriptor is left, the process counts as alive: a process wrongly taken for
// dead may still write. LifeOf makes some system calls.
enum class Life : uint8_t {
  kOver,
  // the process is ending, its first thread has ended, or nothing is known
  kMayEnd,
  kGoesOn,
};
Life LifeOf(ProcessWord process);
inline bool IsAlive(ProcessWord process) {
  return LifeOf(process) != Life::kOver;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_PROCESS_H_
