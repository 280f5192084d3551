// Handles a full file system of the host memory (job/memory/host_memory.h). A
// memfd has no limit of its own. A file in /dev/shm, $TMPDIR or /tmp has the
// limit of its file system.
//
//   reserved   memory for messages. It is taken from the file system when the
//              rank starts. If it is not available, the rank does not start and
//              reports how much is missing.
//
//   guarded    the same memory, and segments, whose pages are not taken before
//              their first use. If a page is not available then, a SIGBUS
//              occurs. One line reports the full file system and a remedy, and
//              SIGBUS then takes its usual course.
//
// The first guarded range installs the handler. It passes every SIGBUS on to
// the previous disposition: a client's handler, that of base/failure.h, or the
// default, which ends the process. A handler that the client installs later
// replaces it and stays.
#ifndef JOB_MEMORY_MEMORY_SHORTAGE_H_
#define JOB_MEMORY_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace gasnet::job {

// Reserves `bytes` of the host memory `fd` from `offset` on; `what` describes
// their contents. Returns ResourceExhausted if they are not available. Does
// nothing for a memfd, or if the file system cannot reserve.
absl::Status ReserveHostMemory(int fd, uint64_t offset, uint64_t bytes,
                               const std::string& what);

// Guards `bytes` of the host memory `fd` that are mapped at `base`, until
// UnguardHostMemory. Does nothing for a memfd. Any thread may call it, but the
// first call, which installs the handler, must precede all others.
void GuardHostMemory(int fd, const void* base, size_t bytes,
                     const std::string& what);

// Stops guarding all ranges within `bytes` of memory at `base`, which are about
// to be unmapped. With the last range the handler is removed, unless the client
// has replaced it.
void UnguardHostMemory(const void* base, size_t bytes);

}  // namespace gasnet::job

#endif  // JOB_MEMORY_MEMORY_SHORTAGE_H_
