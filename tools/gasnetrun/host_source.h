// Finds the list of a job's hosts. Recognises this host by its names.
#ifndef TOOLS_GASNETRUN_HOST_SOURCE_H_
#define TOOLS_GASNETRUN_HOST_SOURCE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/host_list.h"

namespace gasnet::gasnetrun {

// Returns the value of an environment variable, or an empty string if the
// variable is not set.
using Variables = std::function<std::string(const std::string&)>;

// Returns the first of these lists that exists: -H, --hostfile,
// GASNET_SSH_SERVERS, SSH_SERVERS, GASNET_SSH_NODEFILE, GASNET_NODEFILE, and
// the lists that Slurm, PBS, LSF and SGE give their jobs. Returns an empty list
// if no hosts were requested.
absl::StatusOr<HostList> FindHosts(const CommandLine& line,
                                   const Variables& variables);

// Returns true if `name` is localhost or this host's own name.
bool IsThisHost(const std::string& name);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_SOURCE_H_
