#include "job/launch/host_ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/cpu.h"
#include "job/launch/own_host.h"
#include "job/memory/host_memory.h"

namespace gasnet::job {
namespace {

bool IsOn(const JobPlan& plan, uint32_t rank, uint32_t host) {
  return plan.host_of.empty() || plan.host_of[rank] == host;
}

}  // namespace

uint32_t RanksOnHost(const JobPlan& plan, uint32_t host) {
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < plan.size; ++rank) {
    count += IsOn(plan, rank, host);
  }
  return count;
}

absl::StatusOr<std::unique_ptr<HostRanks>> HostRanks::Create(
    const HostSurroundings& surroundings, uint32_t host,
    RankObserver& observer) {
  auto secret_fd = surroundings.secret.ToDescriptor();
  if (!secret_fd.ok()) return secret_fd.status();
  auto memory_fd = CreateHostMemory();
  if (!memory_fd.ok()) return memory_fd.status();
  return std::unique_ptr<HostRanks>(new HostRanks(surroundings, host, observer,
                                                  *std::move(secret_fd),
                                                  *std::move(memory_fd)));
}

HostRanks::HostRanks(const HostSurroundings& surroundings, uint32_t host,
                     RankObserver& observer, UniqueFd secret_fd,
                     UniqueFd memory_fd)
    : observer_(observer),
      name_(OwnHostName()),
      secret_fd_(std::move(secret_fd)),
      memory_fd_(std::move(memory_fd)),
      null_(open("/dev/null", O_RDWR | O_CLOEXEC)),
      stdin_relay_(
          IsOn(surroundings.plan, 0, host)
              ? StdinRelay::For(STDIN_FILENO, surroundings.loop,
                                [this] { terminal_.NoteInput(NowNanos()); })
              : nullptr),
      surroundings_{.plan = surroundings.plan,
                    .loop = surroundings.loop,
                    .offspring = surroundings.offspring,
                    .secret = surroundings.secret,
                    .secret_fd = secret_fd_.get(),
                    .memory_fd = memory_fd_.get(),
                    .mask = surroundings.mask} {
  for (uint32_t rank = 0; rank < surroundings.plan.size; ++rank) {
    if (!IsOn(surroundings.plan, rank, host)) continue;
    ranks_.push_back(
        std::make_unique<RankProcess>(rank, surroundings_, observer));
  }
}

size_t HostRanks::IndexOf(uint32_t rank) const {
  const auto at = std::lower_bound(ranks_.begin(), ranks_.end(), rank,
                                   [](const auto& process, uint32_t number) {
                                     return process->rank() < number;
                                   });
  return static_cast<size_t>(at - ranks_.begin());
}

bool HostRanks::Has(uint32_t rank) const {
  const size_t index = IndexOf(rank);
  return index < ranks_.size() && ranks_[index]->rank() == rank;
}

uint32_t HostRanks::cpus() const { return OnlineCpus(); }

int HostRanks::StdinFor(uint32_t rank) const {
  if (rank > 0) return null_.get();
  return stdin_relay_ != nullptr ? stdin_relay_->rank_end() : -1;
}

absl::StatusOr<std::optional<Handoff>> HostRanks::Start() {
  for (const auto& rank : ranks_) {
    auto started = rank->Start(StdinFor(rank->rank()));
    if (!started.ok() || started->has_value()) return started;
  }
  ResumeInput();
  return std::nullopt;
}

void HostRanks::SendToAll(Frame frame) {
  for (const auto& rank : ranks_) {
    if (rank->joined()) rank->Send(frame);
  }
}

void HostRanks::SendEnd(uint32_t rank, Frame end) {
  ranks_[IndexOf(rank)]->SendEnd(std::move(end));
}

void HostRanks::PollAll() {
  for (const auto& rank : ranks_) {
    rank->Poll();
    TakeStop(*rank);
    if (rank->ended() && terminal_.TakeBack(rank->pid())) ResumeInput();
  }
}

// Handles a rank that was stopped. ^Z stops only the group that has the
// terminal, but is meant for the whole job. So this function passes the stop
// signal on to this process.
void HostRanks::TakeStop(const RankProcess& rank) {
  const int signal_number = rank.TakeStop();
  if (signal_number == SIGTTIN || signal_number == SIGTTOU) {
    if (terminal_.Lend(rank.pid(), NowNanos())) return;
    observer_.OnLacksTerminal(rank.rank(), signal_number);
  } else if (signal_number == SIGTSTP && terminal_.TakeBack(rank.pid())) {
    kill(getpid(), SIGTSTP);
  }
}

void HostRanks::ResumeInput() {
  if (stdin_relay_ != nullptr) stdin_relay_->Resume();
}

void HostRanks::SignalGroups(int signal_number) {
  for (const auto& rank : ranks_) rank->SignalGroup(signal_number);
}

void HostRanks::SignalRanks(int signal_number) {
  for (const auto& rank : ranks_) rank->SignalRank(signal_number);
}

void HostRanks::Pause() { SignalGroups(SIGSTOP); }

void HostRanks::Continue() {
  SignalGroups(SIGCONT);
  ResumeInput();
}

void HostRanks::AskStatus() {
  for (size_t place = 0; place < ranks_.size(); ++place) {
    ranks_[place]->ReportStatus(static_cast<uint32_t>(place));
  }
}

void HostRanks::SetReading(Stream stream, bool on) {
  for (const auto& rank : ranks_) rank->SetReading(stream, on);
}

bool HostRanks::HasOpenOutput() const {
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [](const auto& rank) { return rank->HasOpenOutput(); });
}

void HostRanks::Expire(int64_t now) {
  for (const auto& rank : ranks_) rank->Expire(now);
  if (terminal_.Advance(now)) ResumeInput();
}

int64_t HostRanks::deadline() const {
  int64_t earliest = terminal_.deadline();
  for (const auto& rank : ranks_) {
    earliest = std::min(earliest, rank->deadline());
  }
  return earliest;
}

void HostRanks::CleanUp() {
  if (is_clean_) return;
  // Signals all ranks before waiting for the first rank, so that all ranks end
  // at the same time.
  SignalGroups(SIGKILL);
  for (const auto& rank : ranks_) {
    terminal_.TakeBack(rank->pid());
    rank->CleanUp();
  }
  is_clean_ = true;
}

}  // namespace gasnet::job
