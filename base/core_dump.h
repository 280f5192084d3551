// The shared memory that is part of this process's core dump.
//
// By default the kernel writes all of it, including the parts of other
// processes, and allocates each page that is unused. A segment of gigabytes
// would be written for some pages in use, and would fill the memory that holds
// it. So all shared memory is left out, and the used pages of this process are
// added when it fails. Only the process itself can do that, before the kernel
// stops it (base/failure.h).
#ifndef BASE_CORE_DUMP_H_
#define BASE_CORE_DUMP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Leaves memory of other processes out of the core dump.
void LeaveOutOfCore(void* base, size_t bytes);

// Leaves memory of this process out, except for pages that PutUsedIntoCore
// finds in use. Ends with ForgetMapping. The memory maps the shared file `fd`
// from `offset` on. Meant for a few mappings; one thread at a time.
void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes);

// Forgets a mapping of LeaveUnusedOutOfCore. Call it before the memory at
// `base` is unmapped. Other memory is ignored.
void ForgetMapping(const void* base);

// Adds the used pages of those mappings. Async-signal-safe.
void PutUsedIntoCore();

}  // namespace gasnet

#endif  // BASE_CORE_DUMP_H_
