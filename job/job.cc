#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

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
#include "job/own_settings.h"
#include "job/process_end.h"
#include "job/standard_descriptors.h"
#include "job/statistics/rank_statistics.h"
#include "job/stdio_flush.h"
#include "job/tuning.h"
#include "job/wire/limits.h"

namespace gasnet::job {
namespace {

std::atomic<bool> is_started{false};

// The state of this process in a job that it has suspended (Job::End).
std::unique_ptr<RankStart> suspended;

// The control channel of this process. It stays set after the first start, even
// while the job is suspended.
std::atomic<ControlLink*> channel{nullptr};

absl::StatusOr<RankStart> FirstStart(std::string_view build_config) {
  auto handoff = TakeHandoff();
  if (handoff.ok() && !handoff->has_value()) handoff = ForkManagedRank();
  if (handoff.ok() && !handoff->has_value()) handoff = ForkRanks();
  if (!handoff.ok()) return handoff.status();
  absl::StatusOr<RankStart> start =
      handoff->has_value() ? JoinJob(**handoff, build_config) : BeAlone();
  if (start.ok()) start->own_settings = OwnSettings();
  return start;
}

absl::StatusOr<RankStart> Bootstrap(std::string_view build_config) {
  if (suspended == nullptr) return FirstStart(build_config);
  RankStart start = std::move(*std::exchange(suspended, nullptr));
  ++start.life;
  return start;
}

// Sets up a process that has just become a rank.
void PrepareProcess(const RankStart& start) {
  const Membership& membership = start.membership;
  SetEnvironment(
      WithChanges(start.environment, start.own_settings, OwnSettings()));
  SetLogIdentity(membership.rank, membership.size());
  InitFailureHandling();
  setvbuf(stdout, nullptr, _IOLBF, 0);
  TranslateTerminationSignals();
  SetFlushLimit(ExitTimeoutNanos(membership.size()));
  BeginForkWatch();
  if (EnvBool("GASNET_FREEZE", false)) FreezeForDebugger();
}

void UndoProcess() {
  LeaveTerminationSignals();
  EndFailureHandling();
  ForgetLogIdentity();
  ForgetEnvironment();
  SetFlushLimit(kDefaultFlushNanos);
}

}  // namespace

absl::StatusOr<Job*> Job::Start(int*, char***, std::string_view build_config) {
  if (is_started.exchange(true)) {
    return absl::FailedPreconditionError("the job has been started before");
  }
  OpenStandardDescriptors();
  auto start = Bootstrap(build_config);
  if (!start.ok()) return start.status();
  PrepareProcess(*start);
  Job* job = new Job(*std::move(start));
  const absl::Status watched = job->Watch();
  if (!watched.ok()) return watched;
  return job;
}

Job::Job(RankStart start)
    : start_(std::move(start)),
      host_rank_(start_.membership.host_rank()),
      host_size_(start_.membership.host_size()) {}

Job::~Job() = default;

absl::Status Job::Watch() {
  if (link() == nullptr) return absl::OkStatus();
  channel.store(link(), std::memory_order_release);
  link()->Resume();
  auto monitor = Monitor::Start(*link(), ExitTimeoutNanos(size()));
  if (!monitor.ok()) return monitor.status();
  monitor_ = *std::move(monitor);
  return absl::OkStatus();
}

void Job::End(Job* job) {
  if (job->link() != nullptr) {
    job->Suspend();
  } else {
    // In a job of one rank, lets children become ranks of their own jobs. A
    // rank of a suspended job keeps its place, so its children must not take
    // that place.
    EndForkWatch();
  }
  UndoProcess();
  delete job;
  is_started.store(false);
}

bool Job::IsSuspended() { return suspended != nullptr; }

void Job::Suspend() {
  EnterBarrier();
  AwaitBarrier();
  // No process maps the memory now. Returns its pages to the system.
  if (host_rank_ == 0 && ftruncate(host_memory_fd(), 0) != 0) {
    Warn("gasnet_finalize: emptying the shared memory of this host: %s",
         strerror(errno));
  }
  link()->Suspend();
  EnterBarrier();
  monitor_.reset();
  suspended = std::make_unique<RankStart>(std::move(start_));
}

absl::Status Job::AllGather(std::span<const std::byte> mine,
                            std::span<std::byte> all) {
  if (mine.size() > kMaxGatherBytes || all.size() != size() * mine.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a gather of ", mine.size(), " bytes from each of ", size(),
        " ranks into ", all.size(), " bytes; accepted: at most ",
        kMaxGatherBytes, " each, into the room for all"));
  }
  ++collective_steps_;
  if (link() != nullptr) return link()->Gather(mine, all);
  std::copy(mine.begin(), mine.end(), all.begin());
  return absl::OkStatus();
}

absl::Status Job::Barrier() { return AllGather({}, {}); }

void Job::EnterBarrier() {
  ++collective_steps_;
  if (link() != nullptr) link()->Contribute({});
}

bool Job::IsBarrierOver() const {
  return link() == nullptr || link()->IsGathered();
}

void Job::AwaitBarrier() {
  if (link() == nullptr) return;
  const absl::Status status = link()->Collect({});
  if (!status.ok()) Fatal("%s", std::string(status.message()).c_str());
}

bool Job::HasLeft(uint32_t rank) const {
  return link() != nullptr && link()->HasLeft(rank);
}

void Job::Leave() {
  if (link() != nullptr) link()->SendLeaving();
}

void Job::EndWithReturn() {
  if (link() != nullptr) link()->SendReturnEndsJob();
}

bool Job::WantsStatistics() const {
  const std::vector<std::string>& environment = start_.environment;
  return link() != nullptr &&
         std::find(environment.begin(), environment.end(),
                   absl::StrCat(kStatisticsVariable, "=1")) !=
             environment.end();
}

void Job::SendStatistics(std::string_view encoded) {
  if (link() != nullptr) link()->SendStatistics(encoded);
}

void Job::SetOnQuestion(OnQuestion on_question) {
  if (link() != nullptr) link()->SetOnQuestion(std::move(on_question));
}

void Job::Exit(int code) {
  EndByClient(IsForkedChild() ? nullptr : link(), code);
}

void Job::ExitWithoutJob(int code) {
  if (IsForkedChild()) EndByClient(nullptr, code);
  ControlLink* const link = channel.load(std::memory_order_acquire);
  if (link != nullptr) EndByClient(link, code);
}

}  // namespace gasnet::job
