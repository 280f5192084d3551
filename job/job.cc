#include "job/job.h"

#include <stdio.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/failure.h"
#include "base/forked.h"
#include "base/log.h"
#include "job/bootstrap.h"
#include "job/control_link.h"
#include "job/launch/exit_timeout.h"
#include "job/launch/fork_ranks.h"
#include "job/managed/managed_rank.h"
#include "job/monitor.h"
#include "job/process_end.h"
#include "job/standard_descriptors.h"
#include "job/stdio_flush.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

absl::StatusOr<RankStart> Bootstrap(std::string_view build_config) {
  auto handoff = TakeHandoff();
  if (handoff.ok() && !handoff->has_value()) handoff = ForkManagedRank();
  if (handoff.ok() && !handoff->has_value()) handoff = ForkRanks();
  if (!handoff.ok()) return handoff.status();
  return handoff->has_value() ? JoinJob(**handoff, build_config) : BeAlone();
}

// The set-up of a process that has just become a rank.
void PrepareProcess(const Membership& membership,
                    std::vector<std::string> environment) {
  SetEnvironment(std::move(environment));
  SetLogIdentity(membership.rank, membership.size());
  InitFailureHandling();
  setvbuf(stdout, nullptr, _IOLBF, 0);
  TranslateTerminationSignals();
  SetFlushLimit(ExitTimeoutNanos(membership.size()));
  BeginForkWatch();
  if (EnvBool("GASNET_FREEZE", false)) FreezeForDebugger();
}

}  // namespace

absl::StatusOr<Job*> Job::Start(int*, char***, std::string_view build_config) {
  static std::atomic<bool> started{false};
  if (started.exchange(true)) {
    return absl::FailedPreconditionError("the job has been started before");
  }
  OpenStandardDescriptors();
  auto start = Bootstrap(build_config);
  if (!start.ok()) return start.status();
  PrepareProcess(start->membership, std::move(start->environment));
  Job* job = new Job(*std::move(start));
  if (job->link_ == nullptr) return job;
  const absl::Status monitored =
      StartMonitor(*job->link_, ExitTimeoutNanos(job->size()));
  if (!monitored.ok()) return monitored;
  return job;
}

Job::Job(RankStart start)
    : membership_(std::move(start.membership)),
      host_rank_(membership_.host_rank()),
      host_size_(membership_.host_size()),
      host_memory_(std::move(start.host_memory)),
      secret_(start.secret),
      link_(std::move(start.link)) {}

absl::Status Job::AllGather(std::span<const std::byte> mine,
                            std::span<std::byte> all) {
  if (mine.size() > kMaxGatherBytes || all.size() != size() * mine.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a gather of ", mine.size(), " bytes from each of ", size(),
        " ranks into ", all.size(), " bytes; accepted: at most ",
        kMaxGatherBytes, " each, into the room for all"));
  }
  ++collective_steps_;
  if (link_ != nullptr) return link_->Gather(mine, all);
  std::copy(mine.begin(), mine.end(), all.begin());
  return absl::OkStatus();
}

absl::Status Job::Barrier() { return AllGather({}, {}); }

bool Job::HasLeft(uint32_t rank) const {
  return link_ != nullptr && link_->HasLeft(rank);
}

void Job::Leave() {
  if (link_ != nullptr) link_->SendLeaving();
}

void Job::Exit(int code) {
  EndByClient(IsForkedChild() ? nullptr : link_.get(), code);
}

}  // namespace gasnet::job
