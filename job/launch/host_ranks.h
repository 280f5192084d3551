// The ranks that run on this host, and the secret, memory and input that they
// share. The launcher owns one such object for its own host. Every agent owns
// one for the agent's host.
#ifndef JOB_LAUNCH_HOST_RANKS_H_
#define JOB_LAUNCH_HOST_RANKS_H_

#include <signal.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/launch/host.h"
#include "job/launch/job_plan.h"
#include "job/launch/offspring.h"
#include "job/launch/rank_process.h"
#include "job/launch/stdin_relay.h"
#include "job/launch/terminal_loan.h"
#include "job/wire/handoff.h"
#include "job/wire/secret.h"

namespace gasnet::job {

// References to objects that outlive the hosts.
struct HostSurroundings {
  const JobPlan& plan;
  const Secret& secret;
  const sigset_t& mask;  // The signal mask that forked ranks get.
  EventLoop& loop;
  Offspring& offspring;
};

class HostRanks : public Host {
 public:
  // Makes the object for the ranks of `host`, without starting the ranks.
  // `host` must be this host.
  static absl::StatusOr<std::unique_ptr<HostRanks>> Create(
      const HostSurroundings& surroundings, uint32_t host,
      RankObserver& observer);

  absl::StatusOr<std::optional<Handoff>> Start() override;

  const std::string& name() const override { return name_; }
  uint32_t cpus() const override;

  void SendToAll(Frame frame) override;
  void SendEnd(uint32_t rank, Frame end) override;
  void SignalGroups(int signal_number) override;
  void SignalRanks(int signal_number) override;
  void Pause() override;
  void Continue() override;
  void AskStatus() override;

  void SetReading(Stream stream, bool on) override;
  bool HasOpenOutput() const override;

  void PollAll() override;
  void Expire(int64_t now) override;
  int64_t deadline() const override;

  void CleanUp() override;
  bool IsClean() const override { return is_clean_; }

  // Returns true if `rank` runs on this host.
  bool Has(uint32_t rank) const;

 private:
  HostRanks(const HostSurroundings& surroundings, uint32_t host,
            RankObserver& observer, UniqueFd secret_fd, UniqueFd memory_fd);

  // Handles a rank that was stopped by the terminal's keys, or because it may
  // not use the terminal.
  void TakeStop(const RankProcess& rank);
  void ResumeInput();

  size_t IndexOf(uint32_t rank) const;
  int StdinFor(uint32_t rank) const;

  RankObserver& observer_;
  const std::string name_;
  const UniqueFd secret_fd_;
  const UniqueFd memory_fd_;
  const UniqueFd null_;
  const std::unique_ptr<StdinRelay> stdin_relay_;
  const RankSurroundings surroundings_;
  // in ascending order of rank
  std::vector<std::unique_ptr<RankProcess>> ranks_;
  TerminalLoan terminal_;
  bool is_clean_ = false;
};

// Returns the number of ranks of the plan on `host`.
uint32_t RanksOnHost(const JobPlan& plan, uint32_t host);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_RANKS_H_
