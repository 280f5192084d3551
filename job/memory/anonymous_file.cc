#include "job/memory/anonymous_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "base/env.h"

namespace gasnet::job {
namespace {

constexpr mode_t kOwnerOnly = 0600;

// Creates a file and unlinks it, for file systems without O_TMPFILE. The file
// has a name only between the two system calls.
UniqueFd CreateAndUnlink(const std::string& directory) {
  std::string path = directory + "/gasnet-XXXXXX";
  UniqueFd fd(mkostemp(path.data(), O_CLOEXEC));
  if (fd.valid()) unlink(path.c_str());
  return fd;
}

}  // namespace

UniqueFd CreateMemfd(const char* label) {
  return UniqueFd(memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

UniqueFd CreateUnlinkedFile(const std::string& directory) {
  UniqueFd fd(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL,
                   kOwnerOnly));
  if (fd.valid()) return fd;
  const bool is_unsupported = errno == EOPNOTSUPP || errno == EISDIR;
  return is_unsupported ? CreateAndUnlink(directory) : UniqueFd();
}

absl::Status CheckFileLimit(uint64_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      bytes <= limit.rlim_cur) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "files may have ", limit.rlim_cur,
      " bytes here (ulimit -f), which also limits the memory that the "
      "processes of a host share, and that needs ",
      bytes, "; 'ulimit -f unlimited' lifts the limit"));
}

std::string TemporaryDirectory() { return EnvText("TMPDIR", "/tmp"); }

}  // namespace gasnet::job
