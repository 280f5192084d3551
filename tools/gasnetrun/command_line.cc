#include "tools/gasnetrun/command_line.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/env_parse.h"
#include "job/wire/limits.h"

namespace gasnet::gasnetrun {
namespace {

// The maximum in seconds: some thirty years.
constexpr double kLongestTimeout = 1e9;
constexpr char kEnvironmentForms[] = "NAME, NAME,NAME... or NAME=VALUE";

absl::Status Refuse(const std::string& option, const std::string& value,
                    const std::string& accepted) {
  return absl::InvalidArgumentError(
      absl::StrCat(option, " is '", value, "'; accepted: ", accepted));
}

absl::Status SetRanks(CommandLine& line, const std::string& value) {
  const std::optional<int64_t> ranks = ParseInt(value);
  if (!ranks.has_value() || *ranks < 1 || *ranks > job::kMaxNodes) {
    return Refuse("-n", value,
                  absl::StrCat("a number of ranks from 1 to ", job::kMaxNodes,
                               " (GASNET_MAXNODES)"));
  }
  line.ranks = static_cast<uint32_t>(*ranks);
  return absl::OkStatus();
}

absl::Status AddEnvironment(CommandLine& line, const std::string& value) {
  if (value.empty() || value[0] == '=') {
    return Refuse("-E", value, kEnvironmentForms);
  }
  if (absl::StrContains(value, '=')) {
    line.environment.push_back(value);
    return absl::OkStatus();
  }
  std::vector<std::string> names = absl::StrSplit(value, ',');
  std::erase(names, "");
  if (names.empty()) return Refuse("-E", value, kEnvironmentForms);
  line.environment.insert(line.environment.end(), names.begin(), names.end());
  return absl::OkStatus();
}

absl::Status SetTimeout(CommandLine& line, const std::string& value) {
  const std::optional<double> seconds = ParseDouble(value);
  if (!seconds.has_value() || *seconds <= 0 || *seconds > kLongestTimeout) {
    return Refuse("--timeout", value, "a number of seconds above 0, up to 1e9");
  }
  // At least a nanosecond: 0 would mean no time limit.
  const absl::Duration limit =
      std::max(absl::Seconds(*seconds), absl::Nanoseconds(1));
  line.timeout_nanos = absl::ToInt64Nanoseconds(limit);
  return absl::OkStatus();
}

absl::Status SetBinding(CommandLine& line, const std::string& value) {
  const std::optional<Binding> binding = ParseBinding(value);
  if (!binding.has_value()) return Refuse("--bind", value, kBindingNames);
  line.binding = *binding;
  return absl::OkStatus();
}

// Returns an error if hosts were given already. Otherwise one of the two lists
// would be ignored silently.
absl::Status CheckFirstHosts(const CommandLine& line) {
  if (line.hosts.empty() && line.host_file.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "hosts are given twice; accepted: one -H or one --hostfile");
}

absl::Status SetHosts(CommandLine& line, const std::string& value) {
  if (value.empty()) return Refuse("-H", value, "HOST[:SLOTS],...");
  const absl::Status first = CheckFirstHosts(line);
  if (!first.ok()) return first;
  line.hosts = value;
  return absl::OkStatus();
}

absl::Status SetHostFile(CommandLine& line, const std::string& value) {
  if (value.empty()) return Refuse("--hostfile", value, "the name of a file");
  const absl::Status first = CheckFirstHosts(line);
  if (!first.ok()) return first;
  line.host_file = value;
  return absl::OkStatus();
}

absl::Status SetHostCount(CommandLine& line, const std::string& value) {
  const std::optional<int64_t> hosts = ParseInt(value);
  if (!hosts.has_value() || *hosts < 1 || *hosts > job::kMaxNodes) {
    return Refuse("-N", value,
                  absl::StrCat("a number of hosts from 1 to ", job::kMaxNodes));
  }
  line.host_count = static_cast<uint32_t>(*hosts);
  return absl::OkStatus();
}

absl::Status SetMapBy(CommandLine& line, const std::string& value) {
  const std::optional<MapBy> map_by = ParseMapBy(value);
  if (!map_by.has_value()) return Refuse("--map-by", value, kMapByNames);
  line.map_by = *map_by;
  return absl::OkStatus();
}

absl::Status SetSpawner(CommandLine& line, const std::string& value) {
  using Spawner = CommandLine::Spawner;
  if (value == "local") {
    line.spawner = Spawner::kLocal;
  } else if (value == "ssh") {
    line.spawner = Spawner::kSsh;
  } else if (value == "slurm") {
    line.spawner = Spawner::kSlurm;
  } else if (value == "pmix") {
    line.spawner = Spawner::kPmix;
  } else {
    return Refuse("--spawner", value, "local, ssh, slurm, pmix");
  }
  return absl::OkStatus();
}

// Accepts the names of spawners from other implementations' scripts. A resource
// manager is used only if there are several hosts.
absl::Status SetScriptSpawner(CommandLine& line, const std::string& value) {
  using Spawner = CommandLine::Spawner;
  if (value == "fork") {
    line.spawner = Spawner::kLocal;
  } else if (value == "ssh") {
    line.spawner = Spawner::kDefault;
  } else if (value == "mpi" || value == "pmi") {
    line.spawner = Spawner::kManager;
  } else {
    return Refuse("-spawner", value, "fork, ssh, mpi, pmi");
  }
  return absl::OkStatus();
}

absl::Status SetCpus(CommandLine& /*line*/, const std::string& value) {
  const std::optional<int64_t> cpus = ParseInt(value);
  if (!cpus.has_value() || *cpus < 1) {
    return Refuse("-c", value, "a number of CPUs for each rank");
  }
  return absl::OkStatus();
}

// Accepts the values of GASNET_SPAWNFN.
absl::Status SetSpawnFunction(CommandLine& line, const std::string& value) {
  if (absl::EqualsIgnoreCase(value, "L")) return SetSpawner(line, "local");
  if (absl::EqualsIgnoreCase(value, "S")) return SetSpawner(line, "ssh");
  return Refuse("-spawn", value, "L (ranks on this host), S (through ssh)");
}

absl::Status SetStatisticsFile(CommandLine& line, const std::string& value) {
  if (value.empty()) return Refuse("--stats", value, "the name of a file");
  line.statistics = true;
  line.statistics_file = value;
  return absl::OkStatus();
}

// Accepts any number: the ranks check the value.
absl::Status SetDepth(CommandLine& line, const std::string& value) {
  if (!ParseInt(value).has_value()) {
    return Refuse("-depth", value, "a number of packets in flight");
  }
  line.environment.push_back("GASNET_NETWORKDEPTH=" + value);
  return absl::OkStatus();
}

// An option takes a value (`set`), is a flag (`raise`), or both. If an option
// is both, its value follows '='.
struct Option {
  const char* short_name;  // Null: no short name.
  const char* long_name;
  absl::Status (*set)(CommandLine&, const std::string&);  // Null: no value.
  void (*raise)(CommandLine&);  // Null: needs a value.
};

const Option kOptions[] = {
    // Scripts for other launchers write the long name with one dash.
    {"-np", "--np", SetRanks, nullptr},
    {"-n", "--np", SetRanks, nullptr},
    {"-E", "--env", AddEnvironment, nullptr},
    {nullptr, "--timeout", SetTimeout, nullptr},
    {nullptr, "--bind", SetBinding, nullptr},
    {"-H", "--host", SetHosts, nullptr},
    {nullptr, "--hostfile", SetHostFile, nullptr},
    {"-N", "--host-count", SetHostCount, nullptr},
    {nullptr, "--map-by", SetMapBy, nullptr},
    {nullptr, "--spawner", SetSpawner, nullptr},
    // Options of the scripts that start programs of other GASNet
    // implementations. -k (keep the script's files) and -c (reserve CPUs) have
    // no effect here.
    {nullptr, "-spawner", SetScriptSpawner, nullptr},
    {"-c", "--cpus", SetCpus, nullptr},
    {"-k", "--keep", nullptr, [](CommandLine&) {}},
    {"-t", "--dry-run", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kDryRun; }},
    // Options of amudprun, the launcher of another GASNet implementation.
    {"-spawn", "--spawn", SetSpawnFunction, nullptr},
    {"-depth", "--depth", SetDepth, nullptr},
    // gasnetrun passes this option to its agents on other hosts. The option is
    // not for users.
    {nullptr, "--agent", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kAgent; }},
    {nullptr, "--status", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kStatus; }},
    {nullptr, "--json", nullptr,
     [](CommandLine& line) { line.as_json = true; }},
    {nullptr, "--stats", SetStatisticsFile,
     [](CommandLine& line) { line.statistics = true; }},
    {nullptr, "--tag-output", nullptr,
     [](CommandLine& line) { line.tag_output = true; }},
    {"-v", "--verbose", nullptr,
     [](CommandLine& line) { line.verbose = true; }},
    {"-h", "--help", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kHelp; }},
    {nullptr, "--version", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kVersion; }},
};

// An argument, split into name and value: --name=value, or -nVALUE.
struct Given {
  const Option* option = nullptr;
  std::string name;
  std::optional<std::string> value;
};

Given Recognize(const std::string& argument) {
  const size_t equals = argument.find('=');
  for (const Option& option : kOptions) {
    const std::string long_name = option.long_name;
    if (argument == long_name) return {&option, argument, std::nullopt};
    if (argument.substr(0, equals) == long_name) {
      return {&option, long_name, argument.substr(equals + 1)};
    }
    if (option.short_name == nullptr) continue;
    const std::string short_name = option.short_name;
    if (argument == short_name) return {&option, argument, std::nullopt};
    if (option.set != nullptr && argument.starts_with(short_name)) {
      return {&option, short_name, argument.substr(short_name.size())};
    }
  }
  return {};
}

// Processes one option and its value. The value may be the next argument.
absl::Status TakeOption(const std::vector<std::string>& arguments, size_t& next,
                        CommandLine& line) {
  Given given = Recognize(arguments[next]);
  if (given.option == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown option '", arguments[next], "'"));
  }
  ++next;
  if (given.option->set == nullptr && given.value.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(given.name, " takes no value"));
  }
  if (!given.value.has_value() && given.option->raise != nullptr) {
    given.option->raise(line);
    return absl::OkStatus();
  }
  if (!given.value.has_value()) {
    if (next == arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(given.name, " needs a value"));
    }
    given.value = arguments[next++];
  }
  return given.option->set(line, *given.value);
}

bool IsOption(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-';
}

absl::Status CheckHosts(const CommandLine& line) {
  const bool has_hosts = !line.hosts.empty() || !line.host_file.empty();
  if (has_hosts && line.spawner == CommandLine::Spawner::kLocal) {
    return absl::InvalidArgumentError(
        "--spawner is 'local', which starts all ranks on this host, but hosts "
        "are given with -H or --hostfile; accepted: one of the two");
  }
  return absl::OkStatus();
}

absl::Status CheckComplete(const CommandLine& line) {
  if (line.task == CommandLine::Task::kStatus) return absl::OkStatus();
  if (line.as_json) {
    return absl::InvalidArgumentError("--json is for --status");
  }
  if (line.ranks == 0) {
    return absl::InvalidArgumentError("the number of ranks (-n N) is missing");
  }
  if (line.program.empty()) {
    return absl::InvalidArgumentError("the program is missing");
  }
  return CheckHosts(line);
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(
    const std::vector<std::string>& arguments) {
  CommandLine line;
  size_t next = 0;
  while (next < arguments.size() && IsOption(arguments[next])) {
    if (arguments[next] == "--") {
      ++next;
      break;
    }
    const absl::Status status = TakeOption(arguments, next, line);
    if (!status.ok()) return status;
    // Help and version are printed even if the rest of the line is wrong.
    if (line.task == CommandLine::Task::kHelp) return line;
    if (line.task == CommandLine::Task::kVersion) return line;
    if (line.task == CommandLine::Task::kAgent) return line;
  }
  line.program.assign(arguments.begin() + static_cast<ptrdiff_t>(next),
                      arguments.end());
  const absl::Status status = CheckComplete(line);
  if (!status.ok()) return status;
  return line;
}

}  // namespace gasnet::gasnetrun
