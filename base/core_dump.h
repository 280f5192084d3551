// The shared memory that a core dump of this process has.
//
// The kernel by default writes all of it, other processes' parts too, and
// allocates each page of it that is unused. A segment of gigabytes would be
// written for some pages in use, and would fill the memory that it is in. So
// all of it is left out, and the pages of this process's own that are in use
// are added when the process fails. Only the process itself can do that, before
// the kernel stops it (base/failure.h).
#ifndef BASE_CORE_DUMP_H_
#define BASE_CORE_DUMP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Leaves memory of other processes out of the core dump.
void LeaveOutOfCore(void* base, size_t bytes);

// Leaves memory of this process out, but for the pages that PutUsedIntoCore
// finds, until ForgetMapping. The shared file `fd` is mapped there, from
// `offset` on. Meant for a few mappings; one thread at a time.
void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes);

// Forgets such a mapping. Call it before the memory at `base` is unmapped; no
// effect if it was no such mapping.
void ForgetMapping(const void* base);

// Adds the pages of those mappings that are in use. Async-signal-safe.
void PutUsedIntoCore();

}  // namespace gasnet

#endif  // BASE_CORE_DUMP_H_
