#include "conduits/portals/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "base/core_dump.h"
#include "base/round_up.h"

namespace gasnet::portals_conduit {

absl::Status Buffers::Map(size_t least) {
  // A peer maps whole pages. So the file must contain whole pages.
  const size_t bytes =
      RoundUp(least, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  file_.Reset(memfd_create("gasnet-portals", MFD_CLOEXEC));
  if (!file_.valid() ||
      ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("no file of ", bytes, " bytes"));
  }
  void* const at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("no memory of ", bytes, " bytes"));
  }
  LeaveUnusedOutOfCore(file_.get(), 0, at, bytes);
  base_ = static_cast<std::byte*>(at);
  bytes_ = bytes;
  return absl::OkStatus();
}

Buffers::~Buffers() {
  if (base_ == nullptr) return;
  ForgetMapping(base_);
  munmap(base_, bytes_);
}

}  // namespace gasnet::portals_conduit
