// From a command line to what is to be started, and where.
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

// `base` with the NAME[=VALUE]s of `changes` applied in order, each name once.
// InvalidArgument for a NAME that is not set.
absl::StatusOr<std::vector<std::string>> ApplyEnvironment(
    std::vector<std::string> base, const std::vector<std::string>& changes);

// A job, and where it runs.
struct Launch {
  job::JobPlan plan;
  // By host: its name. Empty: all is on this host, and there is nothing to
  // choose.
  std::vector<std::string> hosts;
  // By host: its ranks are started from here.
  std::vector<bool> is_here;
  HostTree tree;
  SshSettings ssh;
};

// `environment`: gasnetrun's own.
absl::StatusOr<Launch> MakeLaunch(const CommandLine& line,
                                  std::vector<std::string> environment);

// The output of --dry-run: a line for each host that is reached, and each rank.
std::string DescribeLaunch(const Launch& launch, const CommandLine& line);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_LAUNCH_H_
