#include "tools/gasnetrun/host_source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <fstream>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"

namespace gasnet::gasnetrun {
namespace {

// The maximum size of a file of hosts. The list for the largest job is many
// times smaller.
constexpr size_t kMaxFileBytes = 64 << 20;

using Parser = absl::StatusOr<HostList> (*)(std::string_view);

// If the list is bad, adds the list's origin to the error.
absl::StatusOr<HostList> Named(const std::string& origin,
                               absl::StatusOr<HostList> hosts) {
  if (hosts.ok()) return hosts;
  return absl::Status(
      hosts.status().code(),
      absl::StrCat(origin, ": ", std::string(hosts.status().message())));
}

absl::Status CannotRead(const std::string& origin, const std::string& path) {
  return absl::InvalidArgumentError(
      absl::StrCat(origin, ": cannot read '", path, "': ", strerror(errno)));
}

absl::StatusOr<HostList> ReadFile(const std::string& origin,
                                  const std::string& path, Parser parse) {
  std::ifstream file(path);
  if (!file) return CannotRead(origin, path);
  std::string text;
  char piece[4096];
  // A directory can be opened, but reading it fails.
  while (file.read(piece, sizeof piece), file.gcount() > 0) {
    text.append(piece, file.gcount());
    if (text.size() > kMaxFileBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat(origin, ": '", path, "' is longer than ",
                       kMaxFileBytes >> 20, " MiB; accepted: a list of hosts"));
    }
  }
  if (file.bad()) return CannotRead(origin, path);
  return Named(absl::StrCat(origin, " ", path), parse(text));
}

// Parses a file in which each line names the host of one slot.
absl::StatusOr<HostList> ParsePbsFile(std::string_view text) {
  auto hosts = ParseHostFile(text);
  if (hosts.ok()) *hosts = WithOneSlotEach(*std::move(hosts));
  return hosts;
}

absl::StatusOr<HostList> ParseLsfHosts(std::string_view text) {
  auto hosts = ParseHostList(text);
  if (hosts.ok()) *hosts = WithOneSlotEach(*std::move(hosts));
  return hosts;
}

// An environment variable with a list of hosts, or with the name of a file that
// has one.
struct HostVariable {
  const char* variable;
  bool is_file;
  Parser parse;
};

constexpr HostVariable kOwn[] = {
    {"GASNET_SSH_SERVERS", false, ParseHostList},
    {"SSH_SERVERS", false, ParseHostList},
    {"GASNET_SSH_NODEFILE", true, ParseHostFile},
    {"GASNET_NODEFILE", true, ParseHostFile},
};
constexpr HostVariable kManagers[] = {
    {"PBS_NODEFILE", true, ParsePbsFile},
    {"LSB_MCPU_HOSTS", false, ParseNamesAndSlots},
    {"LSB_HOSTS", false, ParseLsfHosts},
    {"PE_HOSTFILE", true, ParseHostFile},
};

absl::StatusOr<HostList> ReadSource(const HostVariable& source,
                                    const std::string& value) {
  if (source.is_file) return ReadFile(source.variable, value, source.parse);
  return Named(source.variable, source.parse(value));
}

template <size_t kCount>
absl::StatusOr<HostList> FirstOf(const HostVariable (&sources)[kCount],
                                 const Variables& variables) {
  for (const HostVariable& source : sources) {
    const std::string value = variables(source.variable);
    if (!value.empty()) return ReadSource(source, value);
  }
  return HostList();
}

std::string OwnName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

absl::StatusOr<HostList> FindHosts(const CommandLine& line,
                                   const Variables& variables) {
  if (!line.hosts.empty()) return Named("-H", ParseHostList(line.hosts));
  if (!line.host_file.empty()) {
    return ReadFile("--hostfile", line.host_file, ParseHostFile);
  }
  auto hosts = FirstOf(kOwn, variables);
  if (!hosts.ok() || !hosts->empty()) return hosts;
  const std::string nodes = variables("SLURM_JOB_NODELIST");
  if (!nodes.empty()) {
    return Named("SLURM_JOB_NODELIST with SLURM_TASKS_PER_NODE",
                 ParseSlurm(nodes, variables("SLURM_TASKS_PER_NODE")));
  }
  return FirstOf(kManagers, variables);
}

bool IsThisHost(const std::string& name) {
  for (const char* local : {"localhost", "127.0.0.1", "::1"}) {
    if (absl::EqualsIgnoreCase(name, local)) return true;
  }
  const std::string own = OwnName();
  return absl::EqualsIgnoreCase(name, own) ||
         absl::EqualsIgnoreCase(name, own.substr(0, own.find('.')));
}

}  // namespace gasnet::gasnetrun
