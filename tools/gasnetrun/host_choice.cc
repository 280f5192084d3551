#include "tools/gasnetrun/host_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/env_parse.h"
#include "tools/gasnetrun/find_program.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {
namespace {

using Spawner = CommandLine::Spawner;

constexpr double kDefaultSilence =
    static_cast<double>(kDefaultSilenceNanos) / kNanosPerSecond;
constexpr double kShortestSilence = 0.1;
constexpr double kLongestSilence = kSecondsPerDay;

const char* NameOf(Spawner spawner) {
  if (spawner == Spawner::kSlurm) return "slurm";
  return spawner == Spawner::kPmix ? "pmix" : "ssh";
}

absl::Status SetWords(const Variables& variables, const char* name,
                      std::vector<std::string>& words) {
  const std::string value = variables(name);
  if (value.empty()) return absl::OkStatus();
  auto split = SplitWords(value);
  if (!split.ok() || split->empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " is set to '", value,
                     "'; accepted: words, in quotes if they contain blanks"));
  }
  words = *std::move(split);
  return absl::OkStatus();
}

absl::Status SetSilence(const Variables& variables, SshSettings& ssh) {
  const std::string value = variables("GASNET_HOST_TIMEOUT");
  const std::optional<double> seconds =
      value.empty() ? kDefaultSilence : ParseDouble(value);
  if (!seconds.has_value() || *seconds < kShortestSilence ||
      *seconds > kLongestSilence) {
    return absl::InvalidArgumentError(
        absl::StrCat("GASNET_HOST_TIMEOUT is set to '", value,
                     "'; accepted: a number of seconds from ", kShortestSilence,
                     " to ", kLongestSilence));
  }
  ssh.silence_nanos = static_cast<int64_t>(*seconds * kNanosPerSecond);
  return absl::OkStatus();
}

// Sets the tree of hosts. The caller has set the hosts and the way to reach
// them.
absl::Status SetTree(const Variables& variables, Launch& launch) {
  const std::string value = variables("GASNET_SSH_OUT_DEGREE");
  const std::optional<int64_t> degree =
      value.empty() ? kDefaultOutDegree : ParseInt(value);
  if (!degree.has_value() || *degree < 0 || *degree > kMaxOutDegree) {
    return absl::InvalidArgumentError(absl::StrCat(
        "GASNET_SSH_OUT_DEGREE is set to '", value,
        "'; accepted: a number of hosts from 0 (no tree) to ", kMaxOutDegree));
  }
  std::vector<bool> is_in_tree;
  for (const std::string& name : launch.hosts) {
    // This host is not in the tree: its name may mean another host elsewhere.
    is_in_tree.push_back(launch.ssh.way == AgentWay::kSsh && !IsThisHost(name));
  }
  launch.tree = PlantTree(is_in_tree, static_cast<uint32_t>(*degree));
  return absl::OkStatus();
}

absl::Status SetUpSsh(const Variables& variables, SshSettings& ssh) {
  absl::Status status = SetWords(variables, "GASNET_SSH_CMD", ssh.command);
  status.Update(SetWords(variables, "GASNET_SSH_OPTIONS", ssh.options));
  status.Update(SetSilence(variables, ssh));
  ssh.remote_path = variables("GASNET_SSH_REMOTE_PATH");
  std::error_code failed;
  ssh.agent = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) {
    status.Update(absl::InternalError("cannot read /proc/self/exe"));
  }
  return status;
}

// The launchers of PMIx, in the order of preference.
constexpr const char* kPmixLaunchers[] = {"prterun", "mpirun"};

// Returns the first of kPmixLaunchers that is installed, or null.
const char* PmixLauncher(const Variables& variables) {
  for (const char* launcher : kPmixLaunchers) {
    if (FindProgram(launcher, variables("PATH")).ok()) return launcher;
  }
  return nullptr;
}

// Returns the spawner that kManager means on this host, or kDefault if the job
// has no resource manager.
Spawner ManagerHere(const CommandLine& line, const Variables& variables) {
  const auto hosts = FindHosts(line, variables);
  if (!hosts.ok() || hosts->empty()) return Spawner::kDefault;
  if (!variables("SLURM_JOB_ID").empty()) return Spawner::kSlurm;
  return PmixLauncher(variables) != nullptr ? Spawner::kPmix
                                            : Spawner::kDefault;
}

// Sets up the resource manager's launcher. It is used instead of ssh.
absl::Status SetUpManager(Spawner spawner, const Variables& variables,
                          SshSettings& ssh) {
  if (spawner == Spawner::kSlurm) {
    ssh.way = AgentWay::kSlurm;
    ssh.command = {"srun"};
    if (!variables("SLURM_JOB_ID").empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "--spawner is 'slurm', but this is no job of Slurm (SLURM_JOB_ID is "
        "not set); accepted: inside salloc or sbatch");
  }
  const char* const launcher = PmixLauncher(variables);
  if (launcher == nullptr) {
    return absl::InvalidArgumentError(
        "--spawner is 'pmix', but neither 'prterun' nor 'mpirun' is in PATH");
  }
  ssh.way = AgentWay::kPmix;
  ssh.command = {launcher};
  return absl::OkStatus();
}

// Returns the working directory. Prefers the shell's name for the directory
// (PWD) if that name is right: other hosts may know only that name.
std::string WorkingDirectory() {
  const std::unique_ptr<char, decltype(&free)> name(get_current_dir_name(),
                                                    free);
  return name == nullptr ? "/" : name.get();
}

// Makes a path absolute. Leaves a name without a slash as it is, because the
// rank's host searches for it.
std::string AbsolutePath(const std::string& directory, std::string path) {
  if (path.find('/') == std::string::npos || path[0] == '/') return path;
  while (path.starts_with("./")) path.erase(0, 2);
  return absl::StrCat(directory, "/", path);
}

// Merges all entries that name this host into one.
void JoinOwnNames(HostList& hosts) {
  HostList joined;
  const auto is_here = [](const HostSlots& host) {
    return IsThisHost(host.name);
  };
  for (HostSlots& host : hosts) {
    const auto known = std::find_if(joined.begin(), joined.end(), is_here);
    if (!is_here(host) || known == joined.end()) {
      joined.push_back(std::move(host));
    } else {
      known->slots = std::max(known->slots, 1u) + std::max(host.slots, 1u);
    }
  }
  hosts = std::move(joined);
}

bool HasOnlyAgents(const CommandLine& line) {
  return line.spawner != Spawner::kDefault && line.spawner != Spawner::kLocal;
}

// If -N gives a number of hosts, keeps only that many, from the beginning of
// the list. Unless --map-by is given, the placement then ignores the hosts'
// slots.
absl::Status KeepHosts(const CommandLine& line, HostList& hosts,
                       MapBy& map_by) {
  const uint32_t wanted = line.host_count;
  if (wanted == 0) return absl::OkStatus();
  const size_t known = std::max<size_t>(hosts.size(), 1);
  if (wanted > known || wanted > line.ranks) {
    return absl::InvalidArgumentError(
        absl::StrCat("-N is ", wanted, "; accepted: at most the number of ",
                     "hosts, ", known, hosts.empty() ? " (this one)" : "",
                     ", and of ranks, ", line.ranks));
  }
  if (!hosts.empty()) hosts.resize(wanted);
  if (map_by == MapBy::kDefault) map_by = MapBy::kBlock;
  return absl::OkStatus();
}

// Returns the hosts for the launch. An empty list means only this host.
absl::StatusOr<HostList> HostsFor(const CommandLine& line,
                                  const Variables& variables, MapBy& map_by) {
  HostList hosts;
  if (line.spawner != Spawner::kLocal) {
    auto found = FindHosts(line, variables);
    if (!found.ok()) return found;
    hosts = *std::move(found);
  }
  if (!HasOnlyAgents(line)) JoinOwnNames(hosts);
  const absl::Status kept = KeepHosts(line, hosts, map_by);
  if (!kept.ok()) return kept;
  if (hosts.empty() && HasOnlyAgents(line)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--spawner is '", NameOf(line.spawner),
        "', but no hosts are known; give them with -H, --hostfile, "
        "GASNET_SSH_SERVERS or GASNET_SSH_NODEFILE"));
  }
  return hosts;
}

// Returns the number of ranks that this process starts, plus one process for
// each other host.
uint32_t CountProcesses(const Launch& launch) {
  const auto elsewhere =
      std::count(launch.is_here.begin(), launch.is_here.end(), false);
  const auto& host_of = launch.plan.host_of;
  const auto here =
      std::count_if(host_of.begin(), host_of.end(),
                    [&](uint32_t host) { return launch.is_here[host]; });
  return static_cast<uint32_t>(elsewhere + here);
}

}  // namespace

absl::Status ChooseHosts(const CommandLine& given, const Variables& variables,
                         Launch& launch) {
  CommandLine line = given;
  if (line.spawner == Spawner::kManager) {
    line.spawner = ManagerHere(line, variables);
  }
  MapBy map_by = line.map_by;
  const auto hosts = HostsFor(line, variables, map_by);
  if (!hosts.ok()) return hosts.status();
  if (hosts->empty()) return absl::OkStatus();
  auto placement = Place(*hosts, line.ranks, map_by);
  if (!placement.ok()) return placement.status();
  for (const std::string& name : placement->hosts) {
    launch.is_here.push_back(!HasOnlyAgents(line) && IsThisHost(name));
  }
  if (launch.is_here == std::vector<bool>{true}) return absl::OkStatus();
  launch.hosts = std::move(placement->hosts);
  launch.plan.host_of = std::move(placement->host_of);
  launch.plan.processes = CountProcesses(launch);
  absl::Status status = SetUpSsh(variables, launch.ssh);
  const bool is_managed =
      line.spawner == Spawner::kSlurm || line.spawner == Spawner::kPmix;
  if (status.ok() && is_managed) {
    status = SetUpManager(line.spawner, variables, launch.ssh);
  }
  return status.ok() ? SetTree(variables, launch) : status;
}

absl::Status ChooseProgram(const CommandLine& line, const Variables& variables,
                           Launch& launch) {
  job::JobPlan& plan = launch.plan;
  const std::string& name = line.program.front();
  const auto found = FindProgram(name, variables("PATH"));
  const bool needs_it =
      launch.hosts.empty() ||
      std::count(launch.is_here.begin(), launch.is_here.end(), true) > 0;
  if (!found.ok() && (needs_it || !absl::IsNotFound(found.status()))) {
    return found.status();
  }
  plan.program = found.ok() ? *found : name;
  if (launch.hosts.empty()) return absl::OkStatus();
  plan.directory = WorkingDirectory();
  plan.program = AbsolutePath(plan.directory, plan.program);
  return absl::OkStatus();
}

}  // namespace gasnet::gasnetrun
