// gasnetrun: starts the ranks of a GASNet program on this host.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/env.h"
#include "base/log.h"
#include "core/job/bootstrap.h"
#include "core/job/supervisor.h"
#include "tools/gasnetrun/command_line.h"
#include "tools/gasnetrun/launch.h"

namespace gasnet::gasnetrun {
namespace {

constexpr int kCannotRunCode = 126;
constexpr int kNotFoundCode = 127;
constexpr char kVersionText[] = "gasnetrun (GASNet 1.8)\n";

// Were one of them closed, the next descriptor we open would take its place and
// be mistaken for it.
void OpenStandardDescriptors() {
  int fd;
  do {
    fd = open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

int Complain(const absl::Status& status, int code) {
  fprintf(stderr, "gasnetrun: error: %s\n",
          std::string(status.message()).c_str());
  return code;
}

int CodeOf(const absl::Status& status) {
  if (absl::IsNotFound(status)) return kNotFoundCode;
  if (absl::IsPermissionDenied(status)) return kCannotRunCode;
  return job::kLauncherFailureCode;
}

int Print(const std::string& text) {
  const bool printed = fputs(text.c_str(), stdout) >= 0 && fflush(stdout) == 0;
  return printed ? 0 : job::kLauncherFailureCode;
}

int Run(job::JobPlan plan) {
  SetEnvironment(plan.environment);
  job::Supervisor supervisor(std::move(plan));
  const auto started = supervisor.Start();
  if (!started.ok())
    return Complain(started.status(), CodeOf(started.status()));
  return supervisor.Run();
}

int Main(const std::vector<std::string>& arguments) {
  const auto line = ParseCommandLine(arguments);
  if (!line.ok()) {
    Complain(line.status(), 0);
    fprintf(stderr, "Try 'gasnetrun --help'.\n");
    return job::kLauncherFailureCode;
  }
  if (line->task == CommandLine::Task::kHelp) return Print(kHelpText);
  if (line->task == CommandLine::Task::kVersion) return Print(kVersionText);
  auto plan = MakePlan(*line, job::ProcessEnvironment());
  if (!plan.ok()) return Complain(plan.status(), CodeOf(plan.status()));
  if (line->task == CommandLine::Task::kDryRun) {
    return Print(DescribePlan(*plan, *line));
  }
  return Run(*std::move(plan));
}

}  // namespace
}  // namespace gasnet::gasnetrun

int main(int argc, char** argv) {
  gasnet::gasnetrun::OpenStandardDescriptors();
  gasnet::SetFatalExitCode(gasnet::job::kLauncherFailureCode);
  return gasnet::gasnetrun::Main({argv + 1, argv + argc});
}
