// The ranks that run on this host, and everything started for them: guardian,
// secret, shared memory, orphans. The launcher owns one; so would an agent on
// another host.
#ifndef GASNET_CORE_JOB_HOST_RANKS_H_
#define GASNET_CORE_JOB_HOST_RANKS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/job/event_loop.h"
#include "core/job/guardian.h"
#include "core/job/handoff.h"
#include "core/job/job_plan.h"
#include "core/job/orphans.h"
#include "core/job/rank_process.h"
#include "core/job/secret.h"
#include "core/job/stdin_relay.h"

namespace gasnet::job {

class HostRanks {
 public:
  // Nothing runs yet. `mask`: the signal mask for forked ranks.
  static absl::StatusOr<std::unique_ptr<HostRanks>> Create(
      const JobPlan& plan, const sigset_t& mask, EventLoop& loop,
      RankObserver& observer);

  // Starts all. In a rank that was forked answers what it inherits; that
  // process then destroys this object.
  absl::StatusOr<std::optional<Handoff>> StartAll();

  RankProcess& operator[](uint32_t rank) { return *ranks_[rank]; }
  auto begin() { return ranks_.begin(); }
  auto end() { return ranks_.end(); }

  // Looks which processes have ended (after SIGCHLD).
  void PollAll();
  void SignalGroups(int signal_number);
  void SignalRanks(int signal_number);
  // Stopped and continued with us.
  void Continue();

  void SetReading(Stream stream, bool on);
  bool HasOpenOutput() const;

  // Drops ranks whose HELLO is late.
  void ExpireHellos(int64_t now);
  int64_t hello_deadline() const;

  // Kills whatever is left, takes the last output, and reaps everything.
  void CleanUp();

 private:
  HostRanks(const JobPlan& plan, const sigset_t& mask, const rlimit& open_files,
            EventLoop& loop, RankObserver& observer, const Secret& secret,
            std::unique_ptr<Guardian> guardian, UniqueFd secret_fd,
            UniqueFd memory_fd);

  int StdinFor(uint32_t rank) const;

  const std::unique_ptr<Guardian> guardian_;
  Orphans orphans_;  // After the guardian, which is none.
  const Secret secret_;
  const UniqueFd secret_fd_;
  const UniqueFd memory_fd_;
  const UniqueFd null_;
  const std::unique_ptr<StdinRelay> stdin_relay_;
  const RankSurroundings surroundings_;
  std::vector<std::unique_ptr<RankProcess>> ranks_;
};

}  // namespace gasnet::job

#endif  // GASNET_CORE_JOB_HOST_RANKS_H_
