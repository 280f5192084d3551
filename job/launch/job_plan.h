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
  // In front of the supervisor's own messages.
  std::string name;
  uint32_t size = 1;
  // The host of every rank, as in Membership. Empty: all are on this one.
  std::vector<uint32_t> host_of;
  // The processes that this one starts itself: ranks, and ways to other hosts.
  // 0: one for each rank.
  uint32_t processes = 0;

  // Path and arguments (from argv[0]) of the program; without a program this
  // process is forked.
  std::string program;
  std::vector<std::string> arguments;
  // Where it runs; empty: where we are.
  std::string directory;

  // By which addresses this host was reached; unknown in the launcher itself.
  Reached reached;

  // The environment for gasnet_getenv and for the programs started.
  std::vector<std::string> environment;

  // By rank: the CPUs it is bound to. Empty, or empty for one rank: not bound.
  std::vector<std::vector<int>> cpus;

  // Carry stdout and stderr in whole lines; otherwise the ranks have ours.
  bool forward_output = true;
  bool tag_output = false;
  // By stream (job/launch/job_output.h): ends at a terminal, so that what is
  // written over itself with '\r' is shown as it comes.
  std::array<bool, 2> to_terminal = {false, false};
  bool verbose = false;
  int64_t timeout_nanos = 0;  // 0: none.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_PLAN_H_
