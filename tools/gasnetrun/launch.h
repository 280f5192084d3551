// Turns a command line into a launch: the processes to start, and the hosts on
// which they run.
#ifndef TOOLS_GASNETRUN_LAUNCH_H_
#define TOOLS_GASNETRUN_LAUNCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "job/launch/job_plan.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_tree.h"
#include "tools/gasnetrun/remote/ssh_command.h"

namespace gasnet::gasnetrun {

// Returns `base` with `changes` applied in order. The change NAME=VALUE sets a
// variable. The change NAME keeps the value in `base`. Each name occurs once in
// the result. Returns InvalidArgument for a NAME that is not set.
absl::StatusOr<std::vector<std::string>> ApplyEnvironment(
    std::vector<std::string> base, const std::vector<std::string>& changes);

// A job, and its hosts.
struct Launch {
  job::JobPlan plan;
  // The names of the hosts, indexed by host. Empty: all ranks are on this host.
  std::vector<std::string> hosts;
  // Indexed by host: true if this process starts the ranks of that host.
  std::vector<bool> is_here;
  HostTree tree;
  SshSettings ssh;
};

// Makes the launch. `environment` is gasnetrun's own environment.
absl::StatusOr<Launch> MakeLaunch(const CommandLine& line,
                                  std::vector<std::string> environment);

// Returns the output of --dry-run: a line for each host and each rank.
std::string DescribeLaunch(const Launch& launch, const CommandLine& line);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_LAUNCH_H_
