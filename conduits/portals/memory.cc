#include "conduits/portals/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/core_dump.h"
#include "base/round_up.h"

namespace gasnet::portals {

absl::StatusOr<std::byte*> MapBuffers(size_t least) {
  // A peer maps whole pages, of a file that has them all.
  const size_t bytes =
      RoundUp(least, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  const int fd = memfd_create("gasnet-portals", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("no file of ", bytes, " bytes"));
  }
  void* const at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("no memory of ", bytes, " bytes"));
  }
  LeaveUnusedOutOfCore(fd, 0, at, bytes);
  return static_cast<std::byte*>(at);
}

}  // namespace gasnet::portals
