#include "job/launch/own_host.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace gasnet::job {

std::string OwnHostIdentity() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat space = {};
  stat("/proc/self/ns/pid", &space);
  return absl::StrCat(boot.empty() ? OwnHostName() : boot, ":", space.st_ino);
}

std::string OwnHostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

absl::StatusOr<UniqueFd> OpenMemoryOf(uint32_t pid, uint32_t fd) {
  const std::string path = absl::StrCat("/proc/", pid, "/fd/", fd);
  // O_NONBLOCK: if the path is a pipe and not a file, open() must not wait for
  // the pipe's other end.
  UniqueFd memory(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!memory.valid()) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("cannot open the memory that the ranks of this "
                            "host share (",
                            path, ")"));
  }
  struct stat info;
  if (fstat(memory.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_uid != geteuid() || info.st_nlink != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path,
                     " is not the memory that the ranks of this host "
                     "share: no unnamed file of this user"));
  }
  return memory;
}

}  // namespace gasnet::job
