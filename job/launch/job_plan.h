// The plan of a job, as the supervisor runs it.
#ifndef JOB_LAUNCH_JOB_PLAN_H_
#define JOB_LAUNCH_JOB_PLAN_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "job/statistics/job_summary.h"
#include "job/wire/reached.h"

namespace gasnet::job {

struct JobPlan {
  // The prefix of the supervisor's own messages.
  std::string name;
  uint32_t size = 1;
  // The host of every rank, as in Membership. Empty: all are on this host.
  std::vector<uint32_t> host_of;
  // The number of processes that this process starts: ranks, and ssh processes
  // to other hosts. 0: one process for each rank.
  uint32_t processes = 0;

  // The path and arguments (from argv[0]) of the program. If the path is empty,
  // the ranks are forks of this process.
  std::string program;
  std::vector<std::string> arguments;
  // The program's working directory. Empty: the directory of this process.
  std::string directory;

  // The addresses by which the launcher reached this host. Unknown in the
  // launcher itself.
  Reached reached;

  // The environment for gasnet_getenv and for the started programs.
  std::vector<std::string> environment;

  // The CPUs that each rank is bound to, indexed by rank. If the vector is
  // empty, no rank is bound. If a rank's entry is empty, this rank is not
  // bound.
  std::vector<std::vector<int>> cpus;

  // If true, this process relays the ranks' stdout and stderr in whole lines.
  // If false, the ranks inherit stdout and stderr of this process.
  bool forward_output = true;
  bool tag_output = false;
  // True if the stream ends at a terminal. Indexed by stream
  // (job/launch/job_output.h). Lines that end with '\r' are then relayed as
  // they arrive, because later output overwrites them.
  std::array<bool, 2> to_terminal = {false, false};
  bool verbose = false;
  int64_t timeout_nanos = 0;  // 0: no timeout.

  // Describes the job's statistics. At the job's end it is called once, and
  // returns whole lines for stderr. While the job runs, it is called for each
  // request for the job's status. Null: no statistics are collected. The
  // variable kStatisticsVariable in the environment makes the ranks send
  // statistics.
  enum class Describe : uint8_t { kAtEnd, kSoFar, kSoFarAsJson };
  std::function<std::string(const JobSummary&, Describe)> describe_statistics;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_PLAN_H_
