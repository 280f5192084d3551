// A word that names one process of this host for as long as the host runs, so
// that a lock in shared memory can say who holds it.
//
// It is made of the process's number and the time it began, since the kernel
// gives numbers out again. 0 names nobody. Any thread may ask.
#ifndef PORTALS_ENGINE_PROCESS_H_
#define PORTALS_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>

namespace gasnet::portals4 {

using ProcessWord = uint64_t;

namespace internal {
extern ProcessWord this_process;
}  // namespace internal

// Once before any of what follows, and again in a forked child.
void IdentifyThisProcess();

// This process, after IdentifyThisProcess.
inline ProcessWord ThisProcess() { return internal::this_process; }

// The process of this number, or 0.
ProcessWord IdentifyProcess(pid_t pid);

constexpr pid_t PidOf(ProcessWord process) {
  return static_cast<pid_t>(process & 0xffffffff);
}

// Whether it runs, if only for a moment longer. A process that has ended but
// was not yet waited for does not. Where the kernel cannot say, since there is
// no descriptor left, it does: who is wrongly taken for dead may yet write.
// Costs some system calls.
enum class Life : uint8_t {
  kOver,
  kMayEnd,  // it ends, or its first thread has, or the kernel cannot say
  kGoesOn,
};
Life LifeOf(ProcessWord process);
inline bool IsAlive(ProcessWord process) {
  return LifeOf(process) != Life::kOver;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_PROCESS_H_
