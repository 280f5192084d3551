// The plan of a job, as the supervisor runs it.
#ifndef JOB_LAUNCH_JOB_PLAN_H_
#define JOB_LAUNCH_JOB_PLAN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "job/wire/reached.h"

namespace gasnet::job {

struct JobPlan {
  // The prefix of the supervisor's own messages.
  std::string name;
  uint32_t size = 1;
  // The host of every rank, as in Membership. Empty: all are on this host.
  std::vector<uint32_t> host_of;
  // The number of processes that this one starts itself: ranks, and those that
  // reach other hosts. 0: one for each rank.
  uint32_t processes = 0;

  // The path and arguments (from argv[0]) of the program. Without a program,
  // this process is forked.
  std::string program;
  std::vector<std::string> arguments;
  // Its working directory; empty: this process's.
  std::string directory;

  // The addresses by which this host was reached; unknown in the launcher
  // itself.
  Reached reached;

  // The environment for gasnet_getenv and for the programs started.
  std::vector<std::string> environment;

  // The CPUs that each rank is bound to, indexed by rank. Empty, or empty for
  // one rank: not bound.
  std::vector<std::vector<int>> cpus;

  // Carry stdout and stderr in whole lines; otherwise the ranks have this
  // process's.
  bool forward_output = true;
  bool tag_output = false;
  // Indexed by stream (job/launch/job_output.h): true if it ends at a terminal.
  // Then lines that are overwritten after '\r' are shown as they come.
  std::array<bool, 2> to_terminal = {false, false};
  bool verbose = false;
  int64_t timeout_nanos = 0;  // 0: none.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_PLAN_H_
