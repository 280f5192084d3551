// Starting the process of one rank, by exec of a program or by fork of this
// one.
//
// Either way the new process leads a process group of its own, dies with the
// launcher (PR_SET_PDEATHSIG, for the thread that started it), has its group
// noted with the guardian before it does anything else, and no signal blocked
// or, after exec, ignored. A forked one ignores SIGTTOU, since it writes to our
// terminal itself.
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
  // -1 leaves what this process has. Above 2.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::span<const int> kept;       // Stay open across exec.
  std::span<const int> cpus;       // Where it may run; empty: as we.
  std::atomic<pid_t>* group_slot;  // Guardian::slot.
  rlimit open_files;               // RLIMIT_NOFILE.
};

// A failure that is not the program's. NotFound and PermissionDenied are kept
// for a program that is not there or cannot be run, which gasnetrun reports by
// its exit code.
absl::Status NotTheProgram(const absl::Status& failure);

// Runs `program` (a path; no search) without copying this process's memory.
// When exec itself fails that is PermissionDenied, and nothing is left.
absl::StatusOr<pid_t> SpawnProgram(const SpawnRequest& request,
                                   const std::string& program,
                                   const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment);

// Answers 0 in the new process, whose signal mask becomes `mask`.
absl::StatusOr<pid_t> SpawnByFork(const SpawnRequest& request,
                                  const sigset_t& mask);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SPAWN_H_
