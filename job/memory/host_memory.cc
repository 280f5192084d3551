#include "job/memory/host_memory.h"

#include <errno.h>
#include <string.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/log.h"
#include "job/memory/anonymous_file.h"

namespace gasnet::job {
namespace {

constexpr const char* kKinds[] = {"auto", "memfd", "shm", "tmp"};
enum Kind : size_t { kAuto, kMemfd, kShm, kTmp };

UniqueFd Create(Kind kind) {
  if (kind == kMemfd) return CreateMemfd("gasnet-host-memory");
  return CreateUnlinkedFile(kind == kShm ? "/dev/shm" : TemporaryDirectory());
}

absl::Status Failure(Kind kind) {
  return absl::ErrnoToStatus(
      errno, absl::StrCat("cannot create memory shared by the ranks of this "
                          "host (GASNET_HOST_MEMORY=",
                          kKinds[kind], ")"));
}

absl::StatusOr<UniqueFd> CreateBest() {
  UniqueFd fd = Create(kMemfd);
  if (fd.valid()) return fd;
  const int memfd_error = errno;
  for (const Kind kind : {kShm, kTmp}) {
    fd = Create(kind);
    if (!fd.valid()) continue;
    Warn(
        "memfd_create: %s; the ranks of this host share an unlinked file in "
        "%s instead",
        strerror(memfd_error),
        kind == kShm ? "/dev/shm" : TemporaryDirectory().c_str());
    return fd;
  }
  return Failure(kAuto);
}

}  // namespace

absl::StatusOr<UniqueFd> CreateHostMemory() {
  const Kind kind =
      static_cast<Kind>(EnvChoice("GASNET_HOST_MEMORY", kKinds, kAuto));
  if (kind == kAuto) return CreateBest();
  UniqueFd fd = Create(kind);
  if (!fd.valid()) return Failure(kind);
  return fd;
}

}  // namespace gasnet::job
