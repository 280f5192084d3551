// The hosts of a launch: the list of hosts, the placement of ranks, and the
// connection to each host.
#ifndef TOOLS_GASNETRUN_HOST_CHOICE_H_
#define TOOLS_GASNETRUN_HOST_CHOICE_H_

#include "absl/status/status.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_source.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {

// Fills in the hosts, the host of each rank, and the ssh command. The list of
// hosts stays empty if the job runs on this host alone, unless ssh was
// requested.
absl::Status ChooseHosts(const CommandLine& line, const Variables& variables,
                         Launch& launch);

// Fills in the program. The program need not exist on this host if no rank runs
// here. If the job has other hosts, the program is an absolute path, and the
// working directory is filled in too.
absl::Status ChooseProgram(const CommandLine& line, const Variables& variables,
                           Launch& launch);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_CHOICE_H_
