// A word that identifies one process of this host until the host restarts, so
// that a lock in shared memory can name its holder.
//
// The word consists of the process's number and its start time, since the
// kernel reuses numbers. The word 0 identifies no process. Any thread may call
// these functions.
#ifndef PORTALS_ENGINE_PROCESS_H_
#define PORTALS_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>

namespace gasnet::portals4 {

using ProcessWord = uint64_t;

namespace internal {
extern ProcessWord this_process;
}  // namespace internal

// Identifies this process. Called once before the functions below, and again in
// a forked child.
void IdentifyThisProcess();

// Returns this process's word. Valid only after IdentifyThisProcess.
inline ProcessWord ThisProcess() { return internal::this_process; }

// Returns the word of the process with this number, or 0 if there is none.
ProcessWord IdentifyProcess(pid_t pid);

constexpr pid_t PidOf(ProcessWord process) {
  return static_cast<pid_t>(process & 0xffffffff);
}

// The life of a process. kOver: the process has ended, even if its parent has
// not waited for it yet. A process counts as alive if the kernel gives no
// answer, for instance since no descriptor is left: a process wrongly taken for
// dead may still write. LifeOf costs some system calls.
enum class Life : uint8_t {
  kOver,
  kMayEnd,  // it is ending, its first thread has ended, or nothing is known
  kGoesOn,
};
Life LifeOf(ProcessWord process);
inline bool IsAlive(ProcessWord process) {
  return LifeOf(process) != Life::kOver;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_PROCESS_H_
