// The job this process belongs to, as one of its ranks sees it.
//
// Start joins the job the launcher started us for. Where that is one that is
// not ours, it forks the rank (the original process looks after it and never
// returns); without a launcher it forks GASNET_PSHM_NODES ranks likewise;
// without either it makes a job of one. gasnet_init starts the object, which
// lives as long as the process, or until gasnet_finalize ends it.
//
// It owns the host memory descriptor and, unless this is a job of one, the
// control channel with the monitor thread that waits on it. An end leaves to
// the process what the launcher has given it, that channel and that descriptor:
// the next start joins the same job, as the same rank, and the launcher sees
// one job throughout. Of a job of one nothing is left.
// docs/design/job-control.md has the protocol and its states.
#ifndef JOB_JOB_H_
#define JOB_JOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "job/rank_start.h"
#include "job/wire/reached.h"

namespace gasnet::job {

class ControlLink;
class Monitor;

class Job {
 public:
  // Returns when every rank of the job is running. Removes GASNET_JOB from the
  // environment, installs the snapshot of the spawning environment
  // (base/env.h), the identity for messages (base/log.h) and failure handling
  // (base/failure.h); makes stdout line-buffered; freezes where GASNET_FREEZE
  // says so. `build_config` must be the same on all ranks: where it is not,
  // the launcher names both and ends the job. Once, but for End: then what the
  // process has changed since the first start of the GASNET_* variables in its
  // own environment holds on this rank, over what the job was spawned with.
  static absl::StatusOr<Job*> Start(int* argc, char*** argv,
                                    std::string_view build_config);

  // Collective, once this rank maps no host memory any more, whose contents are
  // lost. Deletes `job`, and undoes what Start has done to the process, but for
  // the buffering of stdout and standard descriptors that were closed.
  static void End(Job* job);
  // Returns true if the next Start joins a job anew.
  static bool IsSuspended();

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  uint32_t rank() const { return start_.membership.rank; }
  uint32_t size() const { return start_.membership.size(); }

  // Host index by rank, dense from 0 in the order of their first rank.
  std::span<const uint32_t> host_of() const {
    return start_.membership.host_of;
  }

  // My index among the ranks of this host, their number, and the CPUs that
  // they may use together (each may be bound to fewer: base/cpu.h).
  uint32_t host_rank() const { return host_rank_; }
  uint32_t host_size() const { return host_size_; }
  uint32_t host_cpus() const { return start_.membership.host_cpus; }

  // By which addresses this host was reached.
  const Reached& reached() const { return start_.membership.reached; }

  // Secret::kKeyBytes that all ranks of the job have and nobody else. Not in a
  // job of one.
  std::string_view key() const { return start_.secret->key(); }

  // How often the ranks have ended their job and started it anew: the same on
  // all of them. No two lives may use the key for the same thing.
  uint32_t life() const { return start_.life; }

  // The memory shared by the ranks of this host (job/memory/host_memory.h),
  // initially empty. Close-on-exec; stays owned by the job.
  int host_memory_fd() const { return start_.host_memory.get(); }

  // Collective, one at a time, not in a signal handler. Every rank contributes
  // mine.size() bytes, the same on all and at most kMaxGatherBytes; all.size()
  // must be size() * mine.size(). A rank's writes before the call are visible
  // to the others after it. When the job ends meanwhile, so does this process.
  absl::Status AllGather(std::span<const std::byte> mine,
                         std::span<std::byte> all);
  absl::Status Barrier();
  // A barrier for a thread that may have other things to do meanwhile. Once
  // IsBarrierOver is true AwaitBarrier, which ends it, does not wait.
  void EnterBarrier();
  bool IsBarrierOver() const;
  void AwaitBarrier();
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
  // The same for one without a Job at hand: in a child that was forked, while
  // the job ends, and until the next Start. Returns where this process has no
  // place in a job of several.
  static void ExitWithoutJob(int code);

 private:
  explicit Job(RankStart start);
  ~Job();

  absl::Status Watch();
  void Suspend();

  ControlLink* link() const { return start_.link.get(); }

  RankStart start_;
  const uint32_t host_rank_;
  const uint32_t host_size_;
  std::unique_ptr<Monitor> monitor_;  // none in a job of one
  uint32_t collective_steps_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_JOB_H_
