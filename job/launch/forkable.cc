#include "job/launch/forkable.h"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

int CountThreads() {
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return 1;
  int threads = 0;
  while (const dirent* task = readdir(tasks)) threads += task->d_name[0] != '.';
  closedir(tasks);
  // Subtracts the thread that the thread sanitizer runs.
  const bool is_sanitized = dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
  return std::max(threads - is_sanitized, 1);
}

absl::Status CheckForkable(int threads, uint32_t ranks) {
  if (threads <= 1) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "this process has ", threads,
      " threads, and gasnet_init would fork it, which copies one of them; "
      "accepted: one thread. Call gasnet_init before anything that makes "
      "threads (before MPI_Init too, but not under mpirun or srun), or start "
      "the program with gasnetrun -n ",
      ranks, ", which does not fork it"));
}

}  // namespace gasnet::job
