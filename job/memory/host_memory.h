// Memory that the ranks of one host share: an anonymous file that the launcher
// creates empty and every rank inherits, so nothing is named in a file system
// and nothing is left when the last of them is gone.
#ifndef JOB_MEMORY_HOST_MEMORY_H_
#define JOB_MEMORY_HOST_MEMORY_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// A new, empty, close-on-exec descriptor: a memfd, or where that is impossible
// an unlinked file in /dev/shm, $TMPDIR or /tmp, with one warning.
// GASNET_HOST_MEMORY=memfd|shm|tmp allows only that one, without a warning.
absl::StatusOr<UniqueFd> CreateHostMemory();

// How many more bytes the file system of `fd` has. Nothing where it has no
// limit of its own, as that of memfds.
std::optional<uint64_t> FreeInFileSystem(int fd);

// How many more bytes the host can really give to the file `fd`: the least of
// the available memory, what the cgroup (v1 or v2) leaves, RLIMIT_AS,
// RLIMIT_FSIZE, and the free space of the file system when it has a limit.
// Ranks that share the file divide it among themselves. A snapshot: nothing is
// reserved.
uint64_t AvailableHostMemory(int fd);

}  // namespace gasnet::job

#endif  // JOB_MEMORY_HOST_MEMORY_H_
