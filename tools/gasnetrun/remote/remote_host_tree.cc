// Hosts that are reached through other hosts: a host and its branches.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/launch/exit_policy.h"
#include "tools/gasnetrun/remote/agent_command.h"
#include "tools/gasnetrun/remote/remote_host.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {
std::vector<std::string> RemoteHost::Command() const {
  SshSettings settings = plan_->ssh;
  if (through_ != nullptr) {
    settings.silence_nanos =
        std::min(settings.silence_nanos, kLongestConnectNanos);
  }
  return AgentCommand(settings, name_);
}

void RemoteHost::ConnectBranches() {
  for (const auto& [number, branch] : branches_) {
    branch_gate_.Enter([host = branch] { host->Connect(); });
  }
}

bool RemoteHost::TakeBranchNote(job::FrameType type, const Note& note) {
  const auto branch = branches_.find(note.rank);
  return branch != branches_.end() &&
         branch->second->relayed_ssh_.has_value() &&
         branch->second->relayed_ssh_->TakeNote(type, note);
}

// Returns 1 plus the number of hosts that are reached through this one.
uint32_t RemoteHost::CountReached() const {
  uint32_t count = 1;
  for (const auto& [number, branch] : branches_) {
    if (branch->through_ == this) count += branch->CountReached();
  }
  return count;
}

bool RemoteHost::HasBranches() const {
  return std::any_of(
      branches_.begin(), branches_.end(), [this](const auto& entry) {
        const RemoteHost& branch = *entry.second;
        return branch.through_ == this && branch.state_ != State::kClean;
      });
}

void RemoteHost::LoseBranches() {
  branch_gate_.Close();
  for (const auto& [number, branch] : branches_) {
    if (branch->through_ == this) branch->LoseWay();
  }
}

// Loses this host because the host through which it is reached is lost. The
// error message names only the host on the way.
void RemoteHost::LoseWay() {
  if (state_ == State::kClean) return;
  ssh_->Reap();
  Fail(job::kLauncherFailureCode, "");
}

void RemoteHost::OnBranchClean() {
  if (!wants_finish_ || HasBranches()) return;
  wants_finish_ = false;
  CleanUp();
}

bool RemoteHost::IsOverdue(int64_t now) const {
  return state_ != State::kRunning || stream_->IsOverdue(now);
}

bool RemoteHost::IsSent() const {
  if (state_ != State::kRunning) return true;
  return stream_->backlog() == 0 &&
         (through_ == nullptr ||
          (relayed_ssh_->HasSentAll() && through_->IsSent()));
}

// Returns true if the launcher should connect to this host directly. Perhaps
// only the host on the way cannot connect to it.
bool RemoteHost::HasDetour() const {
  return through_ != nullptr && !has_agent_ && !plan_->gate->is_closed();
}

void RemoteHost::TakeDetour(int wait_status) {
  if (!std::exchange(*plan_->has_told_of_detour, true)) {
    const std::string said =
        ssh_lines_.empty() ? "" : absl::StrCat(": ", ssh_lines_.back());
    observer_.OnHostSays(
        absl::StrCat("host ", name_, ": cannot start an agent there (",
                     HowSshEnded(wait_status), ")", said,
                     "; connecting from here to it and to others like it "
                     "(GASNET_SSH_OUT_DEGREE=0 would do so at once)"));
  }
  ssh_->Reap();
  stream_.reset();
  input_.reset();
  ssh_lines_.clear();
  LeaveGate();
  ssh_ = &own_ssh_;
  through_ = nullptr;
  is_killed_ = false;
  patience_ends_ = kNever;
  state_ = State::kWaiting;
  plan_->gate->Enter([this] { Connect(); });
}

}  // namespace gasnet::gasnetrun
