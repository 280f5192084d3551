// The command that starts an agent on another host: ssh, or the launcher of a
// resource manager that owns the hosts. The command's standard input and output
// are the stream to the agent.
#ifndef TOOLS_GASNETRUN_REMOTE_AGENT_COMMAND_H_
#define TOOLS_GASNETRUN_REMOTE_AGENT_COMMAND_H_

#include <string>
#include <vector>

#include "tools/gasnetrun/remote/ssh_command.h"

namespace gasnet::gasnetrun {

std::vector<std::string> AgentCommand(const SshSettings& settings,
                                      const std::string& host);

// Returns the name of the command in messages: "ssh", or the name of the
// launcher.
std::string AgentWayName(const SshSettings& settings);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_AGENT_COMMAND_H_
