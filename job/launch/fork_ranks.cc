#include "job/launch/fork_ranks.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "base/env.h"
#include "job/launch/forkable.h"
#include "job/launch/job_plan.h"
#include "job/launch/supervisor.h"
#include "job/wire/limits.h"

namespace gasnet::job {

absl::StatusOr<std::optional<Handoff>> ForkRanks() {
  const auto ranks =
      static_cast<uint32_t>(EnvInt("GASNET_PSHM_NODES", 0, 0, kMaxNodes));
  if (ranks == 0) return std::nullopt;
  const absl::Status forkable = CheckForkable(CountThreads(), ranks);
  if (!forkable.ok()) return forkable;
  // Flushes buffered output. Without this, every forked rank would write the
  // output again.
  fflush(nullptr);
  JobPlan plan;
  plan.name = program_invocation_short_name;
  plan.size = ranks;
  plan.environment = ProcessEnvironment();
  plan.forward_output = false;
  auto supervisor = std::make_unique<Supervisor>(std::move(plan));
  auto handoff = supervisor->Start();
  if (!handoff.ok() || handoff->has_value()) return handoff;
  _exit(supervisor->Run());
}

}  // namespace gasnet::job
