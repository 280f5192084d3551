// gasnetrun --status: asks the launcher of a running job how the job fares.
#ifndef TOOLS_GASNETRUN_STATUS_COMMAND_H_
#define TOOLS_GASNETRUN_STATUS_COMMAND_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/command_line.h"

namespace gasnet::gasnetrun {

// Returns the answer of the job that the command line names by the process
// number of its launcher. Without a name it is the user's one job on this host;
// fails if there is none, or more than one, and then names them.
absl::StatusOr<std::string> AskStatus(const CommandLine& line);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_STATUS_COMMAND_H_
