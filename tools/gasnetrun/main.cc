// gasnetrun: starts the ranks of a GASNet program, here or on other hosts.
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/log.h"
#include "base/own_env.h"
#include "job/launch/supervisor.h"
#include "job/managed/pmi/pmix_manager.h"
#include "job/standard_descriptors.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/exit_codes.h"
#include "tools/gasnetrun/launch.h"
#include "tools/gasnetrun/remote/agent.h"
#include "tools/gasnetrun/remote/make_hosts.h"
#include "tools/gasnetrun/status_command.h"

namespace gasnet::gasnetrun {
namespace {

std::string VersionText() {
  const char* const pmix = job::IsBuiltWithPmix() ? "PMIx" : "no PMIx";
  return absl::StrCat("gasnetrun (GASNet 1.8)\nother launchers: PMI2, ", pmix,
                      "\n");
}

int Complain(const absl::Status& status, int code) {
  fprintf(stderr, "gasnetrun: error: %s\n",
          std::string(status.message()).c_str());
  return code;
}

int Print(const std::string& text) {
  if (fputs(text.c_str(), stdout) >= 0 && fflush(stdout) == 0) return 0;
  return Complain(absl::ErrnoToStatus(errno, "cannot write standard output"),
                  job::kLauncherFailureCode);
}

int Run(Launch launch, Binding binding) {
  SetEnvironment(launch.plan.environment);
  const job::MakeHosts make_hosts = HostMaker(launch, binding);
  job::Supervisor supervisor(std::move(launch.plan), make_hosts);
  const auto started = supervisor.Start();
  if (!started.ok())
    return Complain(started.status(), CodeOf(started.status()));
  return supervisor.Run();
}

// Returns the arguments of gasnetrun. If this program's name contains a
// conduit, the environment may name a spawner for it, for example
// GASNET_UDP_SPAWNER for gasnetrun_udp. Puts the option for this spawner before
// the arguments.
std::vector<std::string> Arguments(int argc, char** argv) {
  constexpr std::string_view kPrefix = "gasnetrun_";
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string_view path = argv[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!absl::StartsWith(name, kPrefix)) return arguments;
  const std::string variable = absl::StrCat(
      "GASNET_", absl::AsciiStrToUpper(name.substr(kPrefix.size())),
      "_SPAWNER");
  const char* const spawner = OwnEnv(variable.c_str());
  if (spawner != nullptr) {
    arguments.insert(arguments.begin(), absl::StrCat("-spawner=", spawner));
  }
  return arguments;
}

int Main(const std::vector<std::string>& arguments) {
  const auto line = ParseCommandLine(arguments);
  if (!line.ok()) {
    Complain(line.status(), 0);
    fprintf(stderr, "Try 'gasnetrun --help'.\n");
    return job::kLauncherFailureCode;
  }
  if (line->task == CommandLine::Task::kHelp) return Print(kHelpText);
  if (line->task == CommandLine::Task::kVersion) return Print(VersionText());
  if (line->task == CommandLine::Task::kAgent) return RunAgent();
  if (line->task == CommandLine::Task::kStatus) {
    const auto answer = AskStatus(*line);
    return answer.ok() ? Print(*answer)
                       : Complain(answer.status(), job::kLauncherFailureCode);
  }
  auto launch = MakeLaunch(*line, ProcessEnvironment());
  if (!launch.ok()) return Complain(launch.status(), CodeOf(launch.status()));
  if (line->task == CommandLine::Task::kDryRun) {
    return Print(DescribeLaunch(*launch, *line));
  }
  return Run(*std::move(launch), line->binding);
}

}  // namespace
}  // namespace gasnet::gasnetrun

int main(int argc, char** argv) {
  gasnet::job::OpenStandardDescriptors();
  gasnet::SetFatalExitCode(gasnet::job::kLauncherFailureCode);
  // Without the signal, output that is too long for a file is an ordinary
  // error.
  signal(SIGXFSZ, SIG_IGN);
  return gasnet::gasnetrun::Main(gasnet::gasnetrun::Arguments(argc, argv));
}
