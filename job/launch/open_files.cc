#include "job/launch/open_files.h"

#include <errno.h>

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace gasnet::job {
namespace {

// The maximum number of descriptors per child. A rank has three: control
// channel, stdout, stderr. A host that is reached through another host has
// four: two ends of two streams.
constexpr rlim_t kPerRank = 4;
constexpr rlim_t kOwn = 64;  // Own and inherited descriptors, a child's ends.

}  // namespace

absl::Status ReserveOpenFiles(uint32_t ranks, rlimit& before) {
  if (getrlimit(RLIMIT_NOFILE, &before) != 0) {
    return absl::ErrnoToStatus(errno, "getrlimit");
  }
  const rlim_t needed = kPerRank * ranks + kOwn;
  if (needed > before.rlim_max) {
    return absl::ResourceExhaustedError(absl::StrCat(
        ranks, " ranks or hosts started from one host need ", needed,
        " open files, but the limit is ", before.rlim_max, " (ulimit -Hn)"));
  }
  const rlimit raised = {.rlim_cur = std::max(needed, before.rlim_cur),
                         .rlim_max = before.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "setrlimit");
}

}  // namespace gasnet::job
