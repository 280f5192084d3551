// The hosts of a launch: the list of hosts, the placement of ranks, and the
// connection to each host.
#ifndef TOOLS_GASNETRUN_HOST_CHOICE_H_
#define TOOLS_GASNETRUN_HOST_CHOICE_H_

#include "absl/status/status.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_source.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {

// Fills in the hosts, the host of each rank, and the ssh command. If the job
// runs on this host alone and ssh was not requested, the list of hosts stays
// empty.
absl::Status ChooseHosts(const CommandLine& line, const Variables& variables,
                         Launch& launch);

// Fills in the program. If no rank runs on this host, the program need not
// exist here. If the job has other hosts, makes the program an absolute path,
// and fills in the working directory too.
absl::Status ChooseProgram(const CommandLine& line, const Variables& variables,
                           Launch& launch);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_CHOICE_H_
