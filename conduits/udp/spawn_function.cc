#include "conduits/udp/spawn_function.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "core/job/bootstrap.h"
#include "core/job/limits.h"

namespace gasnet::udp {
namespace {

constexpr char kVariable[] = "GASNET_SPAWNFN";

bool WantsNodes(const char* text) {
  const std::optional<int64_t> nodes = ParseInt(text);
  return nodes && *nodes >= 1 && *nodes <= int64_t{job::kMaxNodes};
}

// The process that this one is starts them, and goes on as none of them.
void SpawnHere(int* argc, char*** argv) {
  setenv("GASNET_PSHM_NODES", (*argv)[1], 1);
  std::copy(*argv + 2, *argv + *argc + 1, *argv + 1);
  --*argc;
}

absl::Status BecomeLauncher(int argc, char** argv) {
  char name[] = "gasnetrun";
  char option[] = "-n";
  char spawner[] = "--spawner=ssh";
  char end_of_options[] = "--";
  std::vector<char*> command = {name,    option,         argv[1],
                                spawner, end_of_options, argv[0]};
  command.insert(command.end(), argv + 2, argv + argc + 1);
  execvp(name, command.data());
  return absl::ErrnoToStatus(
      errno, absl::StrCat(kVariable, " is S: starting 'gasnetrun' from PATH"));
}

}  // namespace

absl::Status ObeySpawnFunction(int* argc, char*** argv) {
  const char* const function = getenv(kVariable);
  if (function == nullptr || *function == '\0' ||
      getenv("GASNET_JOB") != nullptr || job::HasProcessManager()) {
    return absl::OkStatus();
  }
  if (EqualsIgnoringCase(function, "L") || EqualsIgnoringCase(function, "S")) {
    if (argc == nullptr || argv == nullptr || *argc < 2 ||
        !WantsNodes((*argv)[1])) {
      return absl::InvalidArgumentError(absl::StrCat(
          kVariable, " is ", function,
          ": the program's first argument must be the number of nodes, 1 to ",
          job::kMaxNodes));
    }
    if (EqualsIgnoringCase(function, "S")) return BecomeLauncher(*argc, *argv);
    SpawnHere(argc, argv);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      kVariable, " is '", function,
      "'; accepted: L (nodes on this host), S (through ssh). Other launchers: "
      "start the program with gasnetrun"));
}

}  // namespace gasnet::udp
