// The ways a process becomes a rank.
#ifndef JOB_BOOTSTRAP_H_
#define JOB_BOOTSTRAP_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "job/control_link.h"
#include "job/rank_start.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// The launcher's handoff to this process: from GASNET_JOB, which is removed
// from the environment, with the descriptors checked and made close-on-exec.
// Nothing if there is no launcher.
absl::StatusOr<std::optional<Handoff>> TakeHandoff();

// Joins the job of `handoff`; returns when all ranks have.
absl::StatusOr<RankStart> JoinJob(const Handoff& handoff,
                                  std::string_view build_config);

// Whether a launcher that is not ours (job/managed/pmi/process_manager.h) has
// started this process, or something is wrong with one that seems to have, as
// ForkManagedRank will say.
bool HasProcessManager();

// A job of one.
absl::StatusOr<RankStart> BeAlone();

}  // namespace gasnet::job

#endif  // JOB_BOOTSTRAP_H_
