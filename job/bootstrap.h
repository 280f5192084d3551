// The ways in which a process becomes a rank.
#ifndef JOB_BOOTSTRAP_H_
#define JOB_BOOTSTRAP_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "job/control_link.h"
#include "job/rank_start.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// Returns the launcher's handoff to this process, or nothing if there is no
// launcher. Reads GASNET_JOB and removes it from the environment. Checks the
// descriptors and makes them close-on-exec.
absl::StatusOr<std::optional<Handoff>> TakeHandoff();

// Joins the job of `handoff`. Returns when all ranks have joined.
absl::StatusOr<RankStart> JoinJob(const Handoff& handoff,
                                  std::string_view build_config);

// Returns true if a launcher other than gasnetrun
// (job/managed/pmi/process_manager.h) has started this process. Also returns
// true if the settings of that launcher are inconsistent; ForkManagedRank then
// reports the error.
bool HasProcessManager();

// Makes a job of one rank.
absl::StatusOr<RankStart> BeAlone();

}  // namespace gasnet::job

#endif  // JOB_BOOTSTRAP_H_
