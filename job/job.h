// The job that this process belongs to, as one of its ranks sees it.
//
// Start joins a job in one of these ways:
// - If this project's launcher started the process, the process joins the
//   launcher's job.
// - If another system's launcher started the process, Start forks the rank.
//   The original process supervises the rank and never returns.
// - Without a launcher, but with GASNET_PSHM_NODES set, Start forks this
//   number of ranks. The original process supervises them and never returns.
// - In all other cases, Start makes a job of one rank.
//
// gasnet_init starts the object. The object lives until gasnet_finalize or the
// end of the process.
//
// The object owns the host memory descriptor. If the job has several ranks, the
// object also owns the control channel and the monitor thread that waits on it.
// End leaves the channel and the descriptor to the process. The next Start
// joins the same job as the same rank, and the launcher sees one job
// throughout. In a job of one rank End leaves nothing.
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
#include "job/question.h"
#include "job/rank_start.h"
#include "job/wire/reached.h"

namespace gasnet::job {

class ControlLink;
class Monitor;

class Job {
 public:
  // Joins the job, and returns when every rank of the job is running. It also
  // changes the process:
  // - removes GASNET_JOB from the environment
  // - installs the snapshot of the spawning environment (base/env.h)
  // - installs the identity for messages (base/log.h)
  // - installs failure handling (base/failure.h)
  // - makes stdout line-buffered
  // - waits for a debugger if GASNET_FREEZE is set
  //
  // `build_config` must be the same on all ranks. If it is not, the launcher
  // prints both values and ends the job.
  //
  // Call Start once, or again after End. After End, this rank's changes to its
  // own GASNET_* variables override the environment with which the job was
  // spawned.
  static absl::StatusOr<Job*> Start(int* argc, char*** argv,
                                    std::string_view build_config);

  // Deletes `job`, and undoes the changes that Start has made to the process.
  // Two changes remain: the buffering of stdout, and standard descriptors that
  // were closed before Start. Collective. This rank must have unmapped all host
  // memory. The contents of that memory are lost.
  static void End(Job* job);
  // Returns true if the next Start joins the suspended job again.
  static bool IsSuspended();

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  uint32_t rank() const { return start_.membership.rank; }
  uint32_t size() const { return start_.membership.size(); }

  // The host of each rank. Hosts are numbered densely from 0 in the order of
  // their first rank.
  std::span<const uint32_t> host_of() const {
    return start_.membership.host_of;
  }

  // host_rank is this rank's index among the ranks of this host. host_size is
  // the number of these ranks. host_cpus is the number of CPUs that they may
  // use together. Each rank may be bound to fewer CPUs (base/cpu.h).
  uint32_t host_rank() const { return host_rank_; }
  uint32_t host_size() const { return host_size_; }
  uint32_t host_cpus() const { return start_.membership.host_cpus; }

  // The addresses by which the launcher reached this host.
  const Reached& reached() const { return start_.membership.reached; }

  // A key of Secret::kKeyBytes that only the ranks of the job have. Illegal in
  // a job of one rank.
  std::string_view key() const { return start_.secret->key(); }

  // The number of times that the ranks have ended and restarted the job. Each
  // restart begins a new life of the job. The number is the same on all ranks.
  // Two lives must not use the key for the same purpose.
  uint32_t life() const { return start_.life; }

  // The descriptor of the memory that the ranks of this host share
  // (job/memory/host_memory.h). The memory is initially empty. The descriptor
  // is close-on-exec, and the job keeps ownership.
  int host_memory_fd() const { return start_.host_memory.get(); }

  // Gathers parts of all ranks. Collective. Only one call may run at a time,
  // and none in a signal handler. Every rank contributes mine.size() bytes, the
  // same number on all ranks and at most kMaxGatherBytes. all.size() must be
  // size() * mine.size(). A rank's writes before the call are visible to the
  // other ranks after the call. If the job ends during the call, this process
  // ends.
  absl::Status AllGather(std::span<const std::byte> mine,
                         std::span<std::byte> all);
  absl::Status Barrier();
  // A barrier for a thread that does other work between its two steps.
  // EnterBarrier begins the barrier and AwaitBarrier ends it. AwaitBarrier does
  // not wait if IsBarrierOver has returned true.
  void EnterBarrier();
  bool IsBarrierOver() const;
  void AwaitBarrier();
  // Returns the number of collective calls so far. Each call makes all ranks
  // wait for the slowest rank.
  uint32_t collective_steps() const { return collective_steps_; }

  // Returns true if a rank receives no more messages: its process has ended
  // without Exit, or has called Leave. The information arrives with some delay.
  // Any thread may call it.
  bool HasLeft(uint32_t rank) const;

  // Announces that this process is about to end without Exit and runs no more
  // handlers. After this, messages from other ranks to this process may be
  // lost.
  void Leave();

  // Makes the job end if this process ends without Exit, even with code 0. The
  // other ranks then have GASNET_EXITTIMEOUT seconds to end.
  void EndWithReturn();

  // Returns true if the launcher wants the statistics of this rank, that is, if
  // the job was spawned with GASNETRUN_STATISTICS=1 in its environment. Returns
  // false in a job of one rank without a launcher. Any thread may call it.
  bool WantsStatistics() const;
  // Sends an encoding of this rank's statistics
  // (job/statistics/rank_statistics.h) to the launcher, before Exit. Later
  // statistics replace earlier ones, even from earlier lives of the job. Does
  // nothing without a launcher. Returns when the launcher has read all but a
  // small part. Any thread may call it. Signal handlers may not, because it
  // allocates memory.
  void SendStatistics(std::string_view encoded);

  // Sets the function that a thread of the job calls when the launcher sends a
  // question. Null removes the function. Returns when no earlier function is
  // running.
  void SetOnQuestion(OnQuestion on_question);

  // Ends the job with `code` (spec 2.1.0.5): flushes stdio, notifies the
  // launcher, and ends this process. Any thread may call it at any time. A
  // signal handler may call it too, even if the signal interrupted Exit. In a
  // forked child (base/forked.h) it ends only that child.
  [[noreturn]] void Exit(int code);
  // Ends the job like Exit, for callers that have no Job. These are forked
  // children, and callers between the beginning of End and the next Start.
  // Returns if this process belongs to no job of several ranks.
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
  std::unique_ptr<Monitor> monitor_;  // null in a job of one rank
  uint32_t collective_steps_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_JOB_H_
