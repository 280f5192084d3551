// Files without a name. Such a file vanishes with its last descriptor.
#ifndef JOB_MEMORY_ANONYMOUS_FILE_H_
#define JOB_MEMORY_ANONYMOUS_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// Returns a close-on-exec, sealable memfd. Only /proc shows its label. Returns
// an invalid descriptor and sets errno if the system has no memfds.
UniqueFd CreateMemfd(const char* label);

// Returns an unlinked file in `directory`, open for reading and writing,
// close-on-exec. Returns an invalid descriptor and sets errno on failure.
UniqueFd CreateUnlinkedFile(const std::string& directory);

// Returns an error if this process may not make a file of this size. The limit
// (ulimit -f) also applies to shared memory in files. A signal ends a process
// that exceeds the limit. This check reports the problem with a message first.
absl::Status CheckFileLimit(uint64_t bytes);

// Returns $TMPDIR, or /tmp.
std::string TemporaryDirectory();

}  // namespace gasnet::job

#endif  // JOB_MEMORY_ANONYMOUS_FILE_H_
