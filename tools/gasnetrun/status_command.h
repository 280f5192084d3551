// gasnetrun --status: asks the launcher of a running job for the job's status.
#ifndef TOOLS_GASNETRUN_STATUS_COMMAND_H_
#define TOOLS_GASNETRUN_STATUS_COMMAND_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/command_line.h"

namespace gasnet::gasnetrun {

// Returns the status of a job. The command line names the job by the process id
// of its launcher. Without an id, the job is the user's only job on this host.
// If there is no job, or more than one, fails with a message that lists the
// jobs.
absl::StatusOr<std::string> AskStatus(const CommandLine& line);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_STATUS_COMMAND_H_
