// The command line of gasnetrun.
#ifndef TOOLS_GASNETRUN_COMMAND_LINE_H_
#define TOOLS_GASNETRUN_COMMAND_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/binding.h"
#include "tools/gasnetrun/placement.h"

namespace gasnet::gasnetrun {

struct CommandLine {
  enum class Task { kRun, kDryRun, kHelp, kVersion, kAgent, kStatus };
  enum class Spawner {
    // Starts ranks on this host directly, and all others through ssh.
    kDefault,
    kLocal,  // Starts all ranks on this host, even if other hosts are known.
    kSsh,    // Starts all ranks through ssh.
    kSlurm,  // Starts all ranks through srun, in a job of Slurm.
    kPmix,   // Starts all ranks through prterun or mpirun.
    // If there are several hosts, starts all ranks through srun, prterun or
    // mpirun.
    kManager,
  };

  Task task = Task::kRun;
  uint32_t ranks = 0;
  // Changes to the ranks' environment, "NAME=VALUE" or "NAME", in the order
  // given.
  std::vector<std::string> environment;
  Binding binding = Binding::kNone;
  // The values of -H and --hostfile. At most one of the two is set.
  std::string hosts;
  std::string host_file;
  uint32_t host_count = 0;  // Number of hosts to use; 0: all.
  MapBy map_by = MapBy::kDefault;
  Spawner spawner = Spawner::kDefault;
  bool tag_output = false;
  bool verbose = false;
  int64_t timeout_nanos = 0;  // 0: no time limit.
  bool as_json = false;
  // true: prints the job's statistics at its end
  bool statistics = false;
  // The file for a picture of the statistics; empty: no picture.
  std::string statistics_file;
  // The program and its arguments, unchanged. With kStatus, the only element is
  // the job whose status is wanted. There is no element if no job was named.
  std::vector<std::string> program;
};

// Parses `arguments`, without argv[0]. Options end at "--", or at the name of
// the program: the first argument that is no option.
absl::StatusOr<CommandLine> ParseCommandLine(
    const std::vector<std::string>& arguments);

extern const char kHelpText[];

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_COMMAND_LINE_H_
