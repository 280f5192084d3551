#include "job/launch/offspring.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "job/launch/open_files.h"

namespace gasnet::job {

absl::StatusOr<std::unique_ptr<Offspring>> Offspring::Create(
    uint32_t processes) {
  rlimit open_files;
  const absl::Status enough = ReserveOpenFiles(processes, open_files);
  if (!enough.ok()) return enough;
  auto guardian = Guardian::Start(processes);
  if (!guardian.ok()) return guardian.status();
  return std::unique_ptr<Offspring>(
      new Offspring(*std::move(guardian), open_files));
}

void Offspring::ReapOrphans() {
  absl::flat_hash_set<pid_t> started;
  for (uint32_t slot = 0; slot < next_slot_; ++slot) {
    started.insert(guardian_->slot(slot));
  }
  orphans_.Reap(started);
}

void Offspring::CleanUp() {
  orphans_.KillAll();
  guardian_->Dismiss();
}

}  // namespace gasnet::job
