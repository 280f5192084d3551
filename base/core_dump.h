// Decides which shared memory is part of this process's core dump.
//
// By default the kernel writes all shared memory, including the parts of other
// processes. It even allocates each page that is unused. With a segment of
// gigabytes and a few pages in use, that would fill the memory that holds the
// segment. So all shared memory is left out at first. When this process fails,
// it adds its used pages itself, before the kernel stops it (base/failure.h).
#ifndef BASE_CORE_DUMP_H_
#define BASE_CORE_DUMP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Leaves memory of other processes out of the core dump.
void LeaveOutOfCore(void* base, size_t bytes);

// Leaves memory of this process out of the core dump, except for pages that
// PutUsedIntoCore finds in use. The memory maps the shared file `fd` from
// `offset` on. ForgetMapping ends the effect. Meant for a few mappings. Only
// one thread at a time may call this.
void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes);

// Forgets a mapping that was given to LeaveUnusedOutOfCore. Must be called
// before the memory at `base` is unmapped. Ignores other memory.
void ForgetMapping(const void* base);

// Adds the used pages of the mappings of LeaveUnusedOutOfCore to the core.
// Async-signal-safe.
void PutUsedIntoCore();

}  // namespace gasnet

#endif  // BASE_CORE_DUMP_H_
