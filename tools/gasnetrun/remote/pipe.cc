#include "tools/gasnetrun/remote/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "absl/status/status.h"

namespace gasnet::gasnetrun {

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace gasnet::gasnetrun
