#include "tools/gasnetrun/command_line.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/env_parse.h"
#include "base/status.h"
#include "base/strings.h"
#include "job/wire/limits.h"

namespace gasnet::gasnetrun {
namespace {

constexpr double kLongestTimeout = 1e9;  // Seconds: thirty years.
constexpr char kEnvironmentForms[] = "NAME, NAME,NAME... or NAME=VALUE";

Status Refuse(const std::string& option, const std::string& value,
              const std::string& accepted) {
  return InvalidArgumentError(
      StrCat(option, " is '", value, "'; accepted: ", accepted));
}

Status SetRanks(CommandLine& line, const std::string& value) {
  const std::optional<int64_t> ranks = ParseInt(value);
  if (!ranks.has_value() || *ranks < 1 || *ranks > job::kMaxNodes) {
    return Refuse("-n", value,
                  StrCat("a number of ranks from 1 to ", job::kMaxNodes,
                         " (GASNET_MAXNODES)"));
  }
  line.ranks = static_cast<uint32_t>(*ranks);
  return OkStatus();
}

Status AddEnvironment(CommandLine& line, const std::string& value) {
  if (value.empty() || value[0] == '=') {
    return Refuse("-E", value, kEnvironmentForms);
  }
  if (StrContains(value, '=')) {
    line.environment.push_back(value);
    return OkStatus();
  }
  std::vector<std::string> names = StrSplit(value, ',');
  std::erase(names, "");
  if (names.empty()) return Refuse("-E", value, kEnvironmentForms);
  line.environment.insert(line.environment.end(), names.begin(), names.end());
  return OkStatus();
}

Status SetTimeout(CommandLine& line, const std::string& value) {
  const std::optional<double> seconds = ParseDouble(value);
  if (!seconds.has_value() || *seconds <= 0 || *seconds > kLongestTimeout) {
    return Refuse("--timeout", value, "a number of seconds above 0, up to 1e9");
  }
  // 0 would be no time limit at all.
  const auto nanos = static_cast<int64_t>(*seconds * kNanosPerSecond);
  line.timeout_nanos = std::max(nanos, int64_t{1});
  return OkStatus();
}

Status SetBinding(CommandLine& line, const std::string& value) {
  const std::optional<Binding> binding = ParseBinding(value);
  if (!binding.has_value()) return Refuse("--bind", value, kBindingNames);
  line.binding = *binding;
  return OkStatus();
}

// Those of the first one would be lost without a word.
Status CheckFirstHosts(const CommandLine& line) {
  if (line.hosts.empty() && line.host_file.empty()) return OkStatus();
  return InvalidArgumentError(
      "hosts are given twice; accepted: one -H or one --hostfile");
}

Status SetHosts(CommandLine& line, const std::string& value) {
  if (value.empty()) return Refuse("-H", value, "HOST[:SLOTS],...");
  const Status first = CheckFirstHosts(line);
  if (!first.ok()) return first;
  line.hosts = value;
  return OkStatus();
}

Status SetHostFile(CommandLine& line, const std::string& value) {
  if (value.empty()) return Refuse("--hostfile", value, "the name of a file");
  const Status first = CheckFirstHosts(line);
  if (!first.ok()) return first;
  line.host_file = value;
  return OkStatus();
}

Status SetHostCount(CommandLine& line, const std::string& value) {
  const std::optional<int64_t> hosts = ParseInt(value);
  if (!hosts.has_value() || *hosts < 1 || *hosts > job::kMaxNodes) {
    return Refuse("-N", value,
                  StrCat("a number of hosts from 1 to ", job::kMaxNodes));
  }
  line.host_count = static_cast<uint32_t>(*hosts);
  return OkStatus();
}

Status SetMapBy(CommandLine& line, const std::string& value) {
  const std::optional<MapBy> map_by = ParseMapBy(value);
  if (!map_by.has_value()) return Refuse("--map-by", value, kMapByNames);
  line.map_by = *map_by;
  return OkStatus();
}

Status SetSpawner(CommandLine& line, const std::string& value) {
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
  return OkStatus();
}

// As the values of GASNET_SPAWNFN.
Status SetSpawnFunction(CommandLine& line, const std::string& value) {
  if (EqualsIgnoringCase(value, "L")) return SetSpawner(line, "local");
  if (EqualsIgnoringCase(value, "S")) return SetSpawner(line, "ssh");
  return Refuse("-spawn", value, "L (ranks on this host), S (through ssh)");
}

// The ranks know what is accepted.
Status SetDepth(CommandLine& line, const std::string& value) {
  if (!ParseInt(value).has_value()) {
    return Refuse("-depth", value, "a number of packets in flight");
  }
  line.environment.push_back("GASNET_NETWORKDEPTH=" + value);
  return OkStatus();
}

struct Option {
  const char* short_name;  // Null: none.
  const char* long_name;
  Status (*set)(CommandLine&, const std::string&);  // Null: a flag.
  void (*raise)(CommandLine&);
};

const Option kOptions[] = {
    // Scripts for other launchers have the long name with one dash.
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
    // Of amudprun.
    {"-spawn", "--spawn", SetSpawnFunction, nullptr},
    {"-depth", "--depth", SetDepth, nullptr},
    // For gasnetrun on other hosts; not for people.
    {nullptr, "--agent", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kAgent; }},
    {nullptr, "--tag-output", nullptr,
     [](CommandLine& line) { line.tag_output = true; }},
    {"-v", "--verbose", nullptr,
     [](CommandLine& line) { line.verbose = true; }},
    {nullptr, "--dry-run", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kDryRun; }},
    {"-h", "--help", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kHelp; }},
    {nullptr, "--version", nullptr,
     [](CommandLine& line) { line.task = CommandLine::Task::kVersion; }},
};

// One argument, taken apart: --name=value, or -nVALUE.
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

// Takes one option, and its value, which may be the next argument.
Status TakeOption(const std::vector<std::string>& arguments, size_t& next,
                  CommandLine& line) {
  Given given = Recognize(arguments[next]);
  if (given.option == nullptr) {
    return InvalidArgumentError(
        StrCat("unknown option '", arguments[next], "'"));
  }
  ++next;
  if (given.option->set == nullptr) {
    if (given.value.has_value()) {
      return InvalidArgumentError(StrCat(given.name, " takes no value"));
    }
    given.option->raise(line);
    return OkStatus();
  }
  if (!given.value.has_value()) {
    if (next == arguments.size()) {
      return InvalidArgumentError(StrCat(given.name, " needs a value"));
    }
    given.value = arguments[next++];
  }
  return given.option->set(line, *given.value);
}

bool IsOption(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-';
}

Status CheckHosts(const CommandLine& line) {
  const bool has_hosts = !line.hosts.empty() || !line.host_file.empty();
  if (has_hosts && line.spawner == CommandLine::Spawner::kLocal) {
    return InvalidArgumentError(
        "--spawner is 'local', which starts all ranks on this host, but hosts "
        "are given with -H or --hostfile; accepted: one of the two");
  }
  return OkStatus();
}

Status CheckComplete(const CommandLine& line) {
  if (line.ranks == 0) {
    return InvalidArgumentError("the number of ranks (-n N) is missing");
  }
  if (line.program.empty()) {
    return InvalidArgumentError("the program is missing");
  }
  return CheckHosts(line);
}

}  // namespace

StatusOr<CommandLine> ParseCommandLine(
    const std::vector<std::string>& arguments) {
  CommandLine line;
  size_t next = 0;
  while (next < arguments.size() && IsOption(arguments[next])) {
    if (arguments[next] == "--") {
      ++next;
      break;
    }
    const Status status = TakeOption(arguments, next, line);
    if (!status.ok()) return status;
    // Help is given, whatever else is wrong with the line.
    if (line.task == CommandLine::Task::kHelp) return line;
    if (line.task == CommandLine::Task::kVersion) return line;
    if (line.task == CommandLine::Task::kAgent) return line;
  }
  line.program.assign(arguments.begin() + static_cast<ptrdiff_t>(next),
                      arguments.end());
  const Status status = CheckComplete(line);
  if (!status.ok()) return status;
  return line;
}

}  // namespace gasnet::gasnetrun
