// The command that starts an agent on another host.
#ifndef TOOLS_GASNETRUN_REMOTE_SSH_COMMAND_H_
#define TOOLS_GASNETRUN_REMOTE_SSH_COMMAND_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace gasnet::gasnetrun {

// The programs that can start an agent: see agent_command.h.
enum class AgentWay { kSsh, kSlurm, kPmix };

struct SshSettings {
  std::vector<std::string> command = {"ssh"};  // GASNET_SSH_CMD
  std::vector<std::string> options = {};       // GASNET_SSH_OPTIONS
  std::string remote_path = {};                // GASNET_SSH_REMOTE_PATH
  // path of this process's executable
  std::string agent = {};
  int64_t silence_nanos = 0;  // GASNET_HOST_TIMEOUT
  // if not kSsh, `command` is the manager's launcher
  AgentWay way = AgentWay::kSsh;
};

// The agent's exit code if gasnetrun is not on the host.
inline constexpr int kNoAgentCode = 127;

// Splits text as a shell would: blanks separate words; quotes and backslashes
// keep blanks within a word. Returns InvalidArgument for an unclosed quote.
absl::StatusOr<std::vector<std::string>> SplitWords(std::string_view text);

// Returns the command. The command works with any login shell on the host: it
// runs `sh` there. The `sh` tries this executable's path first, and then
// gasnetrun in remote_path.
std::vector<std::string> SshCommand(const SshSettings& settings,
                                    const std::string& host);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_SSH_COMMAND_H_
