#include "conduits/portals/memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strings.h"

namespace gasnet::portals {

StatusOr<std::byte*> MapBuffers(size_t bytes) {
  const int fd = memfd_create("gasnet-portals", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    return ErrnoToStatus(errno, StrCat("no file of ", bytes, " bytes"));
  }
  void* const at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) {
    return ErrnoToStatus(errno, StrCat("no memory of ", bytes, " bytes"));
  }
  return static_cast<std::byte*>(at);
}

}  // namespace gasnet::portals
