// Starts the process of one rank, by exec of a program or by fork of this
// process.
//
// In both cases the new process leads a process group of its own, and dies with
// the launcher (PR_SET_PDEATHSIG, for the thread that started it). It registers
// its group with the guardian before it does anything else. No signal is
// blocked or, after exec, ignored. A forked rank ignores SIGTTOU, since it
// writes to the launcher's terminal itself.
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
  // -1 keeps this process's descriptor. Others must be above 2.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::span<const int> kept;  // Descriptors that stay open across exec.
  std::span<const int> cpus;  // The CPUs it may use; empty: this process's.
  std::atomic<pid_t>* group_slot;  // Guardian::slot.
  rlimit open_files;               // RLIMIT_NOFILE.
};

// Returns `failure` as one that is not the program's fault. NotFound and
// PermissionDenied are reserved for a program that does not exist or cannot be
// run; gasnetrun has exit codes for these.
absl::Status NotTheProgram(const absl::Status& failure);

// Runs `program` (a path; no search) without copying this process's memory.
// Returns PermissionDenied if exec itself fails; no process is left then.
absl::StatusOr<pid_t> SpawnProgram(const SpawnRequest& request,
                                   const std::string& program,
                                   const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment);

// Returns 0 in the new process, whose signal mask becomes `mask`.
absl::StatusOr<pid_t> SpawnByFork(const SpawnRequest& request,
                                  const sigset_t& mask);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SPAWN_H_
