// A word that names one process of this host as long as the host runs, so that
// a lock in shared memory can name its holder.
//
// It consists of the process's number and its start time, since the kernel
// reuses numbers. 0 names no process. Any thread may call these functions.
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

// Returns this process's word. Only after IdentifyThisProcess.
inline ProcessWord ThisProcess() { return internal::this_process; }

// Returns the word of the process with this number, or 0.
ProcessWord IdentifyProcess(pid_t pid);

constexpr pid_t PidOf(ProcessWord process) {
  return static_cast<pid_t>(process & 0xffffffff);
}

// The life of a process. kOver: it has ended, even if nobody has waited for it
// yet. A process counts as alive if the kernel cannot tell, for instance since
// no descriptor is left: a process wrongly taken for dead may still write.
// LifeOf costs some system calls.
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
