// The job this process belongs to, as one of its ranks sees it.
//
// Start joins the job the launcher started us for. Where that is one that is
// not ours, it forks the rank (the original process looks after it and never
// returns); without a launcher it forks GASNET_PSHM_NODES ranks likewise;
// without either it makes a job of one. The object is started once, by
// gasnet_init, and lives as long as the process.
//
// It owns the host memory descriptor and, unless this is a job of one, the
// control channel with the monitor thread that waits on it.
// docs/design/job-control.md has the protocol and its states.
#ifndef JOB_JOB_H_
#define JOB_JOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "job/membership.h"
#include "job/wire/reached.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class ControlLink;
struct RankStart;

class Job {
 public:
  // Returns when every rank of the job is running. Removes GASNET_JOB from the
  // environment, installs the snapshot of the spawning environment
  // (base/env.h), the identity for messages (base/log.h) and failure handling
  // (base/failure.h); makes stdout line-buffered; freezes where GASNET_FREEZE
  // says so. `build_config` must be the same on all ranks: where it is not,
  // the launcher names both and ends the job. Call once.
  static absl::StatusOr<Job*> Start(int* argc, char*** argv,
                                    std::string_view build_config);

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  uint32_t rank() const { return membership_.rank; }
  uint32_t size() const { return membership_.size(); }

  // Host index by rank, dense from 0 in the order of their first rank.
  std::span<const uint32_t> host_of() const { return membership_.host_of; }

  // My index among the ranks of this host, their number, and the CPUs that
  // they may use together (each may be bound to fewer: base/cpu.h).
  uint32_t host_rank() const { return host_rank_; }
  uint32_t host_size() const { return host_size_; }
  uint32_t host_cpus() const { return membership_.host_cpus; }

  // By which addresses this host was reached.
  const Reached& reached() const { return membership_.reached; }

  // Secret::kKeyBytes that all ranks of the job have and nobody else. Not in a
  // job of one.
  std::string_view key() const { return secret_->key(); }

  // The memory shared by the ranks of this host (job/memory/host_memory.h),
  // initially empty. Close-on-exec; stays owned by the job.
  int host_memory_fd() const { return host_memory_.get(); }

  // Collective, one at a time, not in a signal handler. Every rank contributes
  // mine.size() bytes, the same on all and at most kMaxGatherBytes; all.size()
  // must be size() * mine.size(). A rank's writes before the call are visible
  // to the others after it. When the job ends meanwhile, so does this process.
  absl::Status AllGather(std::span<const std::byte> mine,
                         std::span<std::byte> all);
  absl::Status Barrier();
  // Returns the number of those calls, since each makes all ranks wait for the
  // slowest.
  uint32_t collective_steps() const { return collective_steps_; }

  // Whether a rank takes nothing in any more: its process has ended without
  // Exit, or called Leave. Its word comes with some delay. Any thread.
  bool HasLeft(uint32_t rank) const;

  // This process is about to end without Exit, and runs no handler any more:
  // the others need not see to it that what they send it arrives.
  void Leave();

  // Ends the job with `code` (spec 2.1.0.5): flushes stdio, notifies the
  // launcher, ends this process. Any thread, any time, also from a signal
  // handler that interrupted anything at all, another Exit included. In a child
  // that was forked (base/forked.h) it ends that process alone.
  [[noreturn]] void Exit(int code);

 private:
  explicit Job(RankStart start);
  ~Job() = delete;  // Other threads use it until the process ends.

  const Membership membership_;
  const uint32_t host_rank_;
  const uint32_t host_size_;
  const UniqueFd host_memory_;
  // Neither in a job of one.
  const std::optional<Secret> secret_;
  const std::unique_ptr<ControlLink> link_;
  uint32_t collective_steps_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_JOB_H_
