// Starts the process of one rank, by exec of a program or by fork of this
// process.
//
// In both cases the new process leads its own process group. The process dies
// with the launcher (PR_SET_PDEATHSIG, for the thread that started the
// process). It registers its group with the guardian before it does anything
// else. No signal is blocked after exec, and no signal is ignored. A forked
// rank ignores SIGTTOU, because it writes to the launcher's terminal directly.
#ifndef JOB_LAUNCH_SPAWN_H_
#define JOB_LAUNCH_SPAWN_H_

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace gasnet::job {

struct SpawnRequest {
  // The child's standard descriptors. -1: the child keeps this process's
  // descriptor. Other values must be above 2.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::span<const int> kept;  // Descriptors that stay open across exec.
  std::span<const int> cpus;  // CPUs that the child may use. Empty: unchanged.
  std::atomic<pid_t>* group_slot;  // The child's Guardian::slot.
  rlimit open_files;               // The child's RLIMIT_NOFILE.
};

// Turns `failure` into an Internal error, which does not blame the program.
// NotFound and PermissionDenied are reserved for a program that does not exist
// or cannot be run. gasnetrun has exit codes for both.
absl::Status NotTheProgram(const absl::Status& failure);

// Runs `program` without copying this process's memory. `program` is a path;
// PATH is not searched. If exec itself fails, returns PermissionDenied and
// leaves no process behind.
absl::StatusOr<pid_t> SpawnProgram(const SpawnRequest& request,
                                   const std::string& program,
                                   const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment);

// Forks this process. Returns the child's process id, and 0 in the child. The
// child's signal mask becomes `mask`.
absl::StatusOr<pid_t> SpawnByFork(const SpawnRequest& request,
                                  const sigset_t& mask);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SPAWN_H_
