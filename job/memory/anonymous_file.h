// Files that no name leads to: they are gone with their last descriptor.
#ifndef JOB_MEMORY_ANONYMOUS_FILE_H_
#define JOB_MEMORY_ANONYMOUS_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// A memfd with this label (seen in /proc only). Invalid with errno where the
// system has none. Close-on-exec, sealable.
UniqueFd CreateMemfd(const char* label);

// An unlinked file in `directory`, open for reading and writing, close-on-exec;
// invalid with errno where that fails.
UniqueFd CreateUnlinkedFile(const std::string& directory);

// Whether this process may make a file of so many bytes. The limit on that
// (ulimit -f) counts for memory that is shared through files too, and a process
// that exceeds it gets a signal; this says so in words.
absl::Status CheckFileLimit(uint64_t bytes);

// $TMPDIR, or /tmp.
std::string TemporaryDirectory();

}  // namespace gasnet::job

#endif  // JOB_MEMORY_ANONYMOUS_FILE_H_
