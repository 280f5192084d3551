// Memory that the ranks of one host share: an anonymous file. The launcher
// creates the file empty, and every rank inherits it. The file has no name in a
// file system. So it disappears when the last process that has it is gone.
#ifndef JOB_MEMORY_HOST_MEMORY_H_
#define JOB_MEMORY_HOST_MEMORY_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// Returns a new, empty file, close-on-exec. The file is a memfd. If that is
// impossible, it is an unlinked file in /dev/shm, $TMPDIR or /tmp, and one
// warning is printed. GASNET_HOST_MEMORY (memfd, shm or tmp) permits only the
// named kind, without a warning.
absl::StatusOr<UniqueFd> CreateHostMemory();

// Returns the free bytes of the file system of `fd`. Returns nothing if the
// file system has no limit of its own, as for memfds.
std::optional<uint64_t> FreeInFileSystem(int fd);

// Returns the number of bytes that the host can still give to the file `fd`.
// This is the least of:
// - the available memory
// - the rest of the cgroup's limit (v1 or v2)
// - the rest of RLIMIT_AS
// - RLIMIT_FSIZE
// - the free space of the file system, if it has a limit
//
// Ranks that share the file divide these bytes among themselves. The number is
// a snapshot: nothing is reserved.
uint64_t AvailableHostMemory(int fd);

}  // namespace gasnet::job

#endif  // JOB_MEMORY_HOST_MEMORY_H_
