// When the file system that holds the host memory (job/memory/host_memory.h) is
// full. Nothing of this concerns a memfd, which has no limit of its own; a file
// in /dev/shm, $TMPDIR or /tmp has that of its file system.
//
//   reserved   what messages need: taken from the file system when the rank
//              starts, or the rank says how much is missing, and does not
//   guarded    that, and segments, of which clients are promised that nothing
//              is taken before it is used. A page of them that is touched for
//              the first time and cannot be had is a SIGBUS: one line then
//              reports what is full and what to do about it, and the process
//              goes the way that SIGBUS goes without us
//
// The handler of the first guarded range passes every SIGBUS on to the one that
// was there before, also by default: a client's own, that of base/failure.h, or
// the end of the process. A handler that the client installs later takes its
// place and is left there.
#ifndef JOB_MEMORY_MEMORY_SHORTAGE_H_
#define JOB_MEMORY_MEMORY_SHORTAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace gasnet::job {

// Takes `bytes` of the host memory `fd` from `offset` on, which `what` is in.
// ResourceExhausted where they are not there. Nothing for a memfd, and where
// the file system cannot.
absl::Status ReserveHostMemory(int fd, uint64_t offset, uint64_t bytes,
                               const std::string& what);

// `base`: where `bytes` of the host memory `fd` are mapped, from now on until
// UnguardHostMemory. Nothing for a memfd. Any thread; the first range, with
// which the handler comes, before all others.
void GuardHostMemory(int fd, const void* base, size_t bytes,
                     const std::string& what);

// Before the memory at `base` is unmapped, whether it was guarded or not. With
// the last range the handler goes, unless the client has put one in its place.
void UnguardHostMemory(const void* base);

}  // namespace gasnet::job

#endif  // JOB_MEMORY_MEMORY_SHORTAGE_H_
