// From a command line to a plan for the supervisor.
#ifndef GASNET_TOOLS_GASNETRUN_LAUNCH_H_
#define GASNET_TOOLS_GASNETRUN_LAUNCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/job/job_plan.h"
#include "tools/gasnetrun/command_line.h"

namespace gasnet::gasnetrun {

// `base` with the NAME[=VALUE]s of `changes` applied in order, each name once.
// InvalidArgument for a NAME that is not set.
absl::StatusOr<std::vector<std::string>> ApplyEnvironment(
    std::vector<std::string> base, const std::vector<std::string>& changes);

// `environment`: gasnetrun's own.
absl::StatusOr<job::JobPlan> MakePlan(const CommandLine& line,
                                      std::vector<std::string> environment);

// What --dry-run prints: a line for each rank.
std::string DescribePlan(const job::JobPlan& plan, const CommandLine& line);

}  // namespace gasnet::gasnetrun

#endif  // GASNET_TOOLS_GASNETRUN_LAUNCH_H_
