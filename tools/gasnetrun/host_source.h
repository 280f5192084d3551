// Where the hosts of a job come from, and which of them is this one.
#ifndef TOOLS_GASNETRUN_HOST_SOURCE_H_
#define TOOLS_GASNETRUN_HOST_SOURCE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_list.h"

namespace gasnet::gasnetrun {

// The value of a variable; empty when it is not set.
using Variables = std::function<std::string(const std::string&)>;

// The first of these that is there: -H, --hostfile, GASNET_SSH_SERVERS,
// SSH_SERVERS, GASNET_SSH_NODEFILE, GASNET_NODEFILE, and what Slurm, PBS, LSF
// and SGE tell a job of theirs. Empty when none is: no hosts were asked for.
absl::StatusOr<HostList> FindHosts(const CommandLine& line,
                                   const Variables& variables);

// Whether `name` means this host: localhost, or its own name.
bool IsThisHost(const std::string& name);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_SOURCE_H_
