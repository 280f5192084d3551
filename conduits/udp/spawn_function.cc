#include "conduits/udp/spawn_function.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/env_parse.h"
#include "base/log.h"
#include "base/own_env.h"
#include "job/bootstrap.h"
#include "job/wire/limits.h"

namespace gasnet::udp {
namespace {

constexpr char kFunction[] = "GASNET_SPAWNFN";
constexpr const char* kServers[] = {"GASNET_SSH_SERVERS", "SSH_SERVERS"};

bool WantsNodes(const int* argc, char*** argv) {
  if (argc == nullptr || argv == nullptr || *argc < 2) return false;
  const std::optional<int64_t> nodes = ParseInt((*argv)[1]);
  return nodes && *nodes >= 1 && *nodes <= int64_t{job::kMaxNodes};
}

// Makes this process start the nodes later as its child processes.
void SpawnHere(int* argc, char*** argv) {
  setenv("GASNET_PSHM_NODES", (*argv)[1], 1);
  std::copy(*argv + 2, *argv + *argc + 1, *argv + 1);
  --*argc;
}

// Returns PREFIX/bin/gasnetrun if this code is in PREFIX/lib/FILE or
// PREFIX/bin/FILE.
std::string LauncherOfThisPrefix() {
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&ObeySpawnFunction), &here) == 0) {
    return "";
  }
  const std::string file = here.dli_fname;
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return "";
  return absl::StrCat(file.substr(0, slash), "/../bin/gasnetrun");
}

// Replaces this process by gasnetrun. `why` names the setting that demands
// this.
absl::Status BecomeLauncher(int argc, char** argv, const std::string& why,
                            std::vector<std::string> options) {
  const std::string beside = LauncherOfThisPrefix();
  std::vector<std::string> words = {"gasnetrun", "-n", argv[1]};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.emplace_back(argv[0]);
  std::vector<char*> command;
  for (std::string& word : words) command.push_back(word.data());
  command.insert(command.end(), argv + 2, argv + argc + 1);
  execvp(command[0], command.data());
  const int error = errno;
  if (!beside.empty()) execv(beside.c_str(), command.data());
  return absl::ErrnoToStatus(
      error, absl::StrCat(why, ": starting 'gasnetrun' from PATH"));
}

// Returns the value of the variable `name` with one of the prefixes. Takes the
// first prefix for which the variable is set.
std::string Custom(const std::string& name) {
  for (const char* const prefix : {"GASNET_", "", "AMUDP_"}) {
    const char* const value = OwnEnv((prefix + name).c_str());
    if (value != nullptr) return value;
  }
  return "";
}

std::string Quoted(const std::string& word) {
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

// Returns the expansion of a letter that follows a % in CSPAWN_CMD.
std::string Expanded(char letter, int argc, char** argv) {
  std::string command;
  switch (letter) {
    case 'N':
      return argv[1];
    case 'P':
      return Quoted(argv[0]);
    case 'C':
      command = Quoted(argv[0]);
      for (int i = 2; i < argc; ++i)
        absl::StrAppend(&command, " ", Quoted(argv[i]));
      return command;
    case 'D':
      return Quoted(std::filesystem::current_path());
    case 'M':
      return Custom("CSPAWN_SERVERS");
    default:
      return letter == '%' ? "%" : std::string{'%', letter};
  }
}

// Replaces this process by the user's command. The command must start the nodes
// by gasnetrun, or by a launcher with PMI2 or PMIx.
absl::Status BecomeCustomLauncher(int argc, char** argv) {
  const std::string pattern = Custom("CSPAWN_CMD");
  if (pattern.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        kFunction,
        " is C, and CSPAWN_CMD is not set; accepted: a command that "
        "starts %N processes of %C"));
  }
  std::string command;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool is_mark = pattern[i] == '%' && i + 1 < pattern.size();
    command += is_mark ? Expanded(pattern[++i], argc, argv)
                       : std::string(1, pattern[i]);
  }
  unsetenv(kFunction);
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  return absl::ErrnoToStatus(errno, "CSPAWN_CMD: starting '/bin/sh'");
}

absl::Status Obey(const std::string& function, int* argc, char*** argv) {
  const bool is_ssh = absl::EqualsIgnoreCase(function, "S");
  const bool is_custom = absl::EqualsIgnoreCase(function, "C");
  if (!is_ssh && !is_custom && !absl::EqualsIgnoreCase(function, "L")) {
    return absl::InvalidArgumentError(absl::StrCat(
        kFunction, " is '", function,
        "'; accepted: L (nodes on this host), S (through ssh), C (by the "
        "command of CSPAWN_CMD)"));
  }
  if (!WantsNodes(argc, argv)) {
    return absl::InvalidArgumentError(absl::StrCat(
        kFunction, " is ", function,
        ": the program's first argument must be the number of nodes, 1 to ",
        job::kMaxNodes));
  }
  if (is_ssh) {
    return BecomeLauncher(*argc, *argv, absl::StrCat(kFunction, " is S"),
                          {"--spawner=ssh"});
  }
  if (is_custom) return BecomeCustomLauncher(*argc, *argv);
  SpawnHere(argc, argv);
  return absl::OkStatus();
}

}  // namespace

absl::Status ObeySpawnFunction(int* argc, char*** argv) {
  if (OwnEnv("GASNET_JOB") != nullptr || job::HasProcessManager()) {
    return absl::OkStatus();
  }
  if (const char* const function = OwnEnv(kFunction)) {
    return Obey(function, argc, argv);
  }
  if (OwnEnv("GASNET_PSHM_NODES") != nullptr || !WantsNodes(argc, argv)) {
    return absl::OkStatus();
  }
  for (const char* const servers : kServers) {
    if (OwnEnv(servers) == nullptr) continue;
    return BecomeLauncher(*argc, *argv, absl::StrCat(servers, " is set"), {});
  }
  const char* const nodes = (*argv)[1];
  Inform(
      "this is a job of one node, with '%s' as the program's first argument; "
      "for a job of that many nodes set GASNET_SSH_SERVERS to hosts, or "
      "GASNET_SPAWNFN=L for nodes on this host, or start it with 'gasnetrun -n "
      "%s'",
      nodes, nodes);
  return absl::OkStatus();
}

}  // namespace gasnet::udp
