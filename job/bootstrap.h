// The ways a process becomes a rank.
#ifndef JOB_BOOTSTRAP_H_
#define JOB_BOOTSTRAP_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "job/control_link.h"
#include "job/membership.h"
#include "job/wire/handoff.h"
#include "job/wire/secret.h"

namespace gasnet::job {

// The state that a rank starts with.
struct RankStart {
  Membership membership;
  std::vector<std::string> environment;
  UniqueFd host_memory;
  // Neither in a job of one.
  std::optional<Secret> secret;
  std::unique_ptr<ControlLink> link;
};

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
