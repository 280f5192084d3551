#include "job/launch/orphans.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/container/flat_hash_set.h"
#include "base/syscall.h"

namespace gasnet::job {
namespace {

// Returns the children of every thread of this process; empty if the kernel
// does not list them (CONFIG_PROC_CHILDREN).
std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace

Orphans::Orphans() : others_(Children()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

bool Orphans::IsOrphan(pid_t child) const {
  return std::find(others_.begin(), others_.end(), child) == others_.end();
}

void Orphans::Reap(const absl::flat_hash_set<pid_t>& started) const {
  for (const pid_t child : Children()) {
    if (started.contains(child) || !IsOrphan(child)) continue;
    waitpid(child, nullptr, WNOHANG);
  }
}

void Orphans::KillAll() {
  for (bool found = true; found;) {
    found = false;
    for (const pid_t child : Children()) {
      if (!IsOrphan(child)) continue;
      found = true;
      if (kill(child, SIGKILL) != 0) {
        others_.push_back(child);
        continue;
      }
      RetryOnEintr([&] { return waitpid(child, nullptr, 0); });
    }
  }
}

}  // namespace gasnet::job
