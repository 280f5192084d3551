#include "tools/gasnetrun/remote/agent_command.h"

#include "absl/strings/str_cat.h"

namespace gasnet::gasnetrun {
namespace {

// Returns srun's options for a step of one task. The step takes no resources
// from other steps of the job. The step is not bound to CPUs: its ranks share
// all CPUs that the job has on the host.
std::vector<std::string> SrunOptions(const std::string& host) {
  // Without --unbuffered, srun would hold back output until a line ends.
  return {"--nodes=1",       "--ntasks=1",
          "--unbuffered",    absl::StrCat("--nodelist=", host),
          "--overlap",       "--mem=0",
          "--cpu-bind=none", "--mpi=none",
          "--export=ALL",    "--quiet"};
}

std::vector<std::string> MpirunOptions(const std::string& launcher,
                                       const std::string& host) {
  std::vector<std::string> options = {"-n", "1",         "--host",
                                      host, "--bind-to", "none"};
  // Without this option, prterun would hold back output until a line ends. The
  // mpirun of Open MPI 4 does not hold it back, and does not know the option.
  if (launcher == "prterun") {
    options.insert(options.end(), {"--output", ":raw"});
  }
  return options;
}

}  // namespace

std::vector<std::string> AgentCommand(const SshSettings& settings,
                                      const std::string& host) {
  if (settings.way == AgentWay::kSsh) return SshCommand(settings, host);
  std::vector<std::string> words = settings.command;
  const std::vector<std::string> options = settings.way == AgentWay::kSlurm
                                               ? SrunOptions(host)
                                               : MpirunOptions(words[0], host);
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {settings.agent, "--agent"});
  return words;
}

std::string AgentWayName(const SshSettings& settings) {
  return settings.way == AgentWay::kSsh ? "ssh" : settings.command.front();
}

}  // namespace gasnet::gasnetrun
