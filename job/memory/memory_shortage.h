// Handles the case that the file system of the host memory
// (job/memory/host_memory.h) is full. A memfd has no limit of its own. A file
// in /dev/shm, $TMPDIR or /tmp has the limit of its file system.
//
//   reserved   memory for messages. It is taken from the file system when
//              the rank starts. If it is not available, the rank does not
//              start and reports how much is missing.
//
//   guarded    the reserved memory, and also segments. The pages of
//              segments are taken at their first use. If a page is not
//              available then, a SIGBUS occurs. One line reports the full
//              file system and a remedy. The SIGBUS is then passed on.
//
// The first guarded range installs the handler. The handler passes every SIGBUS
// on to the previous disposition: a client's handler, the handler of
// base/failure.h, or the default, which ends the process. If the client
// installs a handler later, that handler replaces this one.
#ifndef JOB_MEMORY_MEMORY_SHORTAGE_H_
#define JOB_MEMORY_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace gasnet::job {

// Reserves `bytes` of the host memory `fd` from `offset` on. `what` describes
// the contents, for the error. Returns ResourceExhausted if the bytes are not
// available. Does nothing for a memfd, or if the file system cannot reserve.
absl::Status ReserveHostMemory(int fd, uint64_t offset, uint64_t bytes,
                               const std::string& what);

// Guards `bytes` of the host memory `fd` that are mapped at `base`, until
// UnguardHostMemory. Does nothing for a memfd. Any thread may call it. The
// first call installs the handler, so it must complete before any other call.
void GuardHostMemory(int fd, const void* base, size_t bytes,
                     const std::string& what);

// Stops guarding all ranges within `bytes` of memory at `base`. Call this
// before the memory is unmapped. If this was the last range, removes the
// handler, unless the client has replaced it.
void UnguardHostMemory(const void* base, size_t bytes);

}  // namespace gasnet::job

#endif  // JOB_MEMORY_MEMORY_SHORTAGE_H_
