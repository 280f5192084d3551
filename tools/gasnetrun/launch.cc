#include "tools/gasnetrun/launch.h"

#include <unistd.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "job/launch/job_output.h"
#include "job/statistics/rank_statistics.h"
#include "job/wire/handoff.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/host_choice.h"
#include "tools/gasnetrun/remote/agent_command.h"
#include "tools/gasnetrun/shell_quote.h"
#include "tools/gasnetrun/statistics_report.h"

namespace gasnet::gasnetrun {
namespace {

std::string NameOf(const std::string& entry) {
  return entry.substr(0, entry.find('='));
}

// Finds a variable. Skips entries without '=': the kernel permits such entries,
// but they are not variables.
auto FindVariable(std::vector<std::string>& environment,
                  const std::string& name) {
  return std::find_if(environment.begin(), environment.end(),
                      [start = name + "="](const std::string& entry) {
                        return entry.starts_with(start);
                      });
}

std::string ValueOf(std::vector<std::string>& environment,
                    const std::string& name) {
  const auto found = FindVariable(environment, name);
  return found == environment.end() ? "" : found->substr(name.size() + 1);
}

// Sets `variable` in the job's environment to 1 if `is_so` is true. Otherwise
// removes the variable.
void Announce(job::JobPlan& plan, const std::string& variable, bool is_so) {
  std::erase_if(plan.environment, [&](const std::string& entry) {
    return NameOf(entry) == variable;
  });
  if (is_so) plan.environment.push_back(absl::StrCat(variable, "=1"));
}

// Tells the ranks which of gasnetrun's outputs are terminals. The ranks
// themselves see only a pipe, and programs that show progress in place need to
// know.
void AnnounceTerminals(job::JobPlan& plan) {
  static constexpr struct {
    job::Stream stream;
    int fd;
    const char* variable;
  } kOutputs[] = {
      {job::kStdout, STDOUT_FILENO, "GASNETRUN_STDOUT_TTY"},
      {job::kStderr, STDERR_FILENO, "GASNETRUN_STDERR_TTY"},
  };
  for (const auto& output : kOutputs) {
    plan.to_terminal[output.stream] = isatty(output.fd) == 1;
    Announce(plan, output.variable, plan.to_terminal[output.stream]);
  }
}

// Assigns this host's CPUs to its ranks. On other hosts the agents assign the
// CPUs, because gasnetrun does not know the CPUs there.
void AssignOwnCpus(const CommandLine& line, Launch& launch) {
  job::JobPlan& plan = launch.plan;
  const auto here =
      std::find(launch.is_here.begin(), launch.is_here.end(), true);
  if (launch.hosts.empty()) {
    plan.cpus = AssignCpus(line.binding, line.ranks, AllowedCores());
  } else if (here != launch.is_here.end()) {
    plan.cpus = AssignCpusOnHost(
        line.binding, plan.host_of,
        static_cast<uint32_t>(here - launch.is_here.begin()), AllowedCores());
  }
}

// Returns a line for each other host: the command that starts the host's agent,
// and the host through which it is reached.
std::string DescribeHosts(const Launch& launch) {
  std::string text;
  for (size_t host = 0; host < launch.hosts.size(); ++host) {
    if (launch.is_here[host]) continue;
    const std::string& name = launch.hosts[host];
    absl::StrAppend(
        &text, "host ", name,
        launch.tree[host].has_value() ? " through host " : "",
        launch.tree[host].has_value() ? launch.hosts[*launch.tree[host]] : "",
        ": ", ShellQuoteAll(AgentCommand(launch.ssh, name)), "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ApplyEnvironment(
    std::vector<std::string> base, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const auto found = FindVariable(base, NameOf(change));
    const bool has_value = change.find('=') != std::string::npos;
    if (!has_value && found == base.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "-E ", change, ": ", change,
          " is not set here; give it a value with -E ", change, "=VALUE"));
    }
    if (!has_value) continue;
    if (found == base.end()) {
      base.push_back(change);
    } else {
      *found = change;
    }
  }
  return base;
}

absl::StatusOr<Launch> MakeLaunch(const CommandLine& line,
                                  std::vector<std::string> environment) {
  auto changed = ApplyEnvironment(std::move(environment), line.environment);
  if (!changed.ok()) return changed.status();
  // If a launcher started this process, the environment has a handoff for this
  // process. It must not reach the ranks: each rank gets a handoff of its own.
  std::erase_if(*changed, [](const std::string& entry) {
    return NameOf(entry) == job::Handoff::kVariable;
  });
  Launch launch;
  job::JobPlan& plan = launch.plan;
  plan.name = "gasnetrun";
  plan.size = line.ranks;
  plan.arguments = line.program;
  plan.environment = *std::move(changed);
  const Variables variables = [&plan](const std::string& name) {
    return ValueOf(plan.environment, name);
  };
  absl::Status status = ChooseHosts(line, variables, launch);
  if (status.ok()) status = ChooseProgram(line, variables, launch);
  if (!status.ok()) return status;
  AssignOwnCpus(line, launch);
  AnnounceTerminals(plan);
  if (line.verbose) Announce(plan, "GASNET_VERBOSEJOB", true);
  Announce(plan, job::kStatisticsVariable, line.statistics);
  if (line.statistics) {
    plan.describe_statistics = StatisticsReport(line.statistics_file);
  }
  plan.tag_output = line.tag_output;
  plan.verbose = line.verbose;
  plan.timeout_nanos = line.timeout_nanos;
  return launch;
}

std::string DescribeLaunch(const Launch& launch, const CommandLine& line) {
  const job::JobPlan& plan = launch.plan;
  std::vector<std::string> words;
  for (const std::string& change : line.environment) {
    if (change.find('=') != std::string::npos) words.push_back(change);
  }
  words.push_back(plan.program);
  words.insert(words.end(), plan.arguments.begin() + 1, plan.arguments.end());
  const std::string command = ShellQuoteAll(words);
  std::string text = DescribeHosts(launch);
  for (uint32_t rank = 0; rank < plan.size; ++rank) {
    absl::StrAppend(&text, "rank ", rank);
    if (!launch.hosts.empty()) {
      absl::StrAppend(&text, " on host ", launch.hosts[plan.host_of[rank]]);
    }
    if (!plan.cpus.empty() && !plan.cpus[rank].empty()) {
      absl::StrAppend(&text, " on cpu ", absl::StrJoin(plan.cpus[rank], ","));
    }
    absl::StrAppend(&text, ": ", command, "\n");
  }
  return text;
}

}  // namespace gasnet::gasnetrun
