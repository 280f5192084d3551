// The shared memory that a core dump of this process has.
//
// Left to itself, the kernel writes all of it, other processes' parts too, and
// allocates each page of it that nobody has used: a segment of gigabytes would
// be written, and fill the memory that it is in, for some pages in use. So all
// of it is left out, and the pages of this process's own that are in use are
// put in when it fails. Only the process can do that (base/failure.h): the
// kernel stops it before it writes.
#ifndef BASE_CORE_DUMP_H_
#define BASE_CORE_DUMP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Memory of other processes.
void LeaveOutOfCore(void* base, size_t bytes);

// Memory of this process, where the shared file `fd` is mapped from `offset`
// on, until ForgetMapping. Left out, but for what PutUsedIntoCore finds. For a
// few mappings; one thread at a time.
void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes);

// Before the memory at `base` is unmapped, whether it was such a mapping or
// not.
void ForgetMapping(const void* base);

// The pages of those mappings that are in use. Async-signal-safe.
void PutUsedIntoCore();

}  // namespace gasnet

#endif  // BASE_CORE_DUMP_H_
