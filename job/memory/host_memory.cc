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
enum MemoryKind : size_t { kAuto, kMemfd, kShm, kTmp };

std::string DirectoryOf(MemoryKind kind) {
  return kind == kShm ? "/dev/shm" : TemporaryDirectory();
}

UniqueFd Create(MemoryKind kind) {
  if (kind == kMemfd) return CreateMemfd("gasnet-host-memory");
  return CreateUnlinkedFile(DirectoryOf(kind));
}

// Describes where the memory is, for messages.
std::string PlaceOf(MemoryKind kind) {
  if (kind == kMemfd) return "as a memfd";
  const std::string directory = absl::StrCat("in '", DirectoryOf(kind), "'");
  return kind == kShm
             ? directory
             : absl::StrCat(directory,
                            ", which TMPDIR names (/tmp where it is not set)");
}

absl::Status Failure(MemoryKind kind) {
  const int error = errno;
  return absl::ErrnoToStatus(
      error,
      absl::StrCat("cannot create memory shared by the ranks of this host ",
                   PlaceOf(kind), " (GASNET_HOST_MEMORY=", kKinds[kind], ")"));
}

absl::StatusOr<UniqueFd> CreateBest() {
  UniqueFd fd = Create(kMemfd);
  if (fd.valid()) return fd;
  const int memfd_error = errno;
  for (const MemoryKind kind : {kShm, kTmp}) {
    fd = Create(kind);
    if (!fd.valid()) continue;
    Warn(
        "memfd_create: %s; the ranks of this host share an unlinked file in "
        "%s instead",
        strerror(memfd_error), DirectoryOf(kind).c_str());
    return fd;
  }
  return Failure(kAuto);
}

}  // namespace

absl::StatusOr<UniqueFd> CreateHostMemory() {
  const MemoryKind kind =
      static_cast<MemoryKind>(EnvChoice("GASNET_HOST_MEMORY", kKinds, kAuto));
  if (kind == kAuto) return CreateBest();
  UniqueFd fd = Create(kind);
  if (!fd.valid()) return Failure(kind);
  return fd;
}

}  // namespace gasnet::job
