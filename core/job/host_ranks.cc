#include "core/job/host_ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "absl/status/status.h"
#include "core/job/host_memory.h"
#include "core/job/open_files.h"

namespace gasnet::job {

absl::StatusOr<std::unique_ptr<HostRanks>> HostRanks::Create(
    const JobPlan& plan, const sigset_t& mask, EventLoop& loop,
    RankObserver& observer) {
  auto secret = Secret::Generate();
  if (!secret.ok()) return secret.status();
  auto secret_fd = secret->ToDescriptor();
  if (!secret_fd.ok()) return secret_fd.status();
  auto memory_fd = CreateHostMemory();
  if (!memory_fd.ok()) return memory_fd.status();
  rlimit open_files;
  const absl::Status enough = ReserveOpenFiles(plan.size, open_files);
  if (!enough.ok()) return enough;
  auto guardian = Guardian::Start(plan.size);
  if (!guardian.ok()) return guardian.status();
  return std::unique_ptr<HostRanks>(new HostRanks(
      plan, mask, open_files, loop, observer, *secret, *std::move(guardian),
      *std::move(secret_fd), *std::move(memory_fd)));
}

HostRanks::HostRanks(const JobPlan& plan, const sigset_t& mask,
                     const rlimit& open_files, EventLoop& loop,
                     RankObserver& observer, const Secret& secret,
                     std::unique_ptr<Guardian> guardian, UniqueFd secret_fd,
                     UniqueFd memory_fd)
    : guardian_(std::move(guardian)),
      secret_(secret),
      secret_fd_(std::move(secret_fd)),
      memory_fd_(std::move(memory_fd)),
      null_(open("/dev/null", O_RDWR | O_CLOEXEC)),
      stdin_relay_(StdinRelay::For(STDIN_FILENO, loop)),
      surroundings_{.plan = plan,
                    .loop = loop,
                    .guardian = *guardian_,
                    .secret = secret_,
                    .secret_fd = secret_fd_.get(),
                    .memory_fd = memory_fd_.get(),
                    .open_files = open_files,
                    .mask = mask} {
  for (uint32_t rank = 0; rank < plan.size; ++rank) {
    ranks_.push_back(
        std::make_unique<RankProcess>(rank, surroundings_, observer));
  }
}

int HostRanks::StdinFor(uint32_t rank) const {
  if (rank > 0) return null_.get();
  return stdin_relay_ != nullptr ? stdin_relay_->rank_end() : -1;
}

absl::StatusOr<std::optional<Handoff>> HostRanks::StartAll() {
  for (const auto& rank : ranks_) {
    auto started = rank->Start(StdinFor(rank->rank()));
    if (!started.ok() || started->has_value()) return started;
  }
  if (stdin_relay_ != nullptr) stdin_relay_->Resume();
  return std::nullopt;
}

void HostRanks::PollAll() {
  for (const auto& rank : ranks_) rank->Poll();
}

void HostRanks::SignalGroups(int signal_number) {
  for (const auto& rank : ranks_) rank->SignalGroup(signal_number);
}

void HostRanks::SignalRanks(int signal_number) {
  for (const auto& rank : ranks_) rank->SignalRank(signal_number);
}

void HostRanks::Continue() {
  SignalGroups(SIGCONT);
  if (stdin_relay_ != nullptr) stdin_relay_->Resume();
}

void HostRanks::SetReading(Stream stream, bool on) {
  for (const auto& rank : ranks_) rank->SetReading(stream, on);
}

bool HostRanks::HasOpenOutput() const {
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [](const auto& rank) { return rank->HasOpenOutput(); });
}

void HostRanks::ExpireHellos(int64_t now) {
  for (const auto& rank : ranks_) rank->ExpireHello(now);
}

int64_t HostRanks::hello_deadline() const {
  int64_t earliest = EventLoop::kNever;
  for (const auto& rank : ranks_) {
    earliest = std::min(earliest, rank->hello_deadline());
  }
  return earliest;
}

void HostRanks::CleanUp() {
  SignalGroups(SIGKILL);
  for (const auto& rank : ranks_) {
    rank->ReadOutput();
    rank->CloseOutput();
    rank->Reap();
  }
  orphans_.KillAll();
  guardian_->Dismiss();
}

}  // namespace gasnet::job
