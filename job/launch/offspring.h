// The child processes that a launcher or an agent must not leave behind. Owns
// three things:
// - the guardian: a process that kills the children if this process is killed
// - the orphans that this process inherits
// - the limit on open files
//
// A launcher and an agent own one Offspring each. They destroy it after all
// their children have ended.
#ifndef JOB_LAUNCH_OFFSPRING_H_
#define JOB_LAUNCH_OFFSPRING_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "job/launch/guardian.h"
#include "job/launch/orphans.h"

namespace gasnet::job {

class Offspring {
 public:
  // Makes an Offspring for up to `processes` children.
  static absl::StatusOr<std::unique_ptr<Offspring>> Create(uint32_t processes);

  // Returns the guardian's entry for the next child (Guardian::slot).
  std::atomic<pid_t>& NextSlot() { return guardian_->slot(next_slot_++); }
  // Returns the limit on open files that children get.
  const rlimit& open_files() const { return open_files_; }

  // Reaps orphans that have ended. Called when a child has ended.
  void ReapOrphans();

  // Kills and reaps all remaining processes.
  void CleanUp();

 private:
  Offspring(std::unique_ptr<Guardian> guardian, const rlimit& open_files)
      : guardian_(std::move(guardian)), open_files_(open_files) {}

  const std::unique_ptr<Guardian> guardian_;
  // Declared after the guardian, so that the guardian does not count as an
  // orphan.
  Orphans orphans_;
  const rlimit open_files_;
  uint32_t next_slot_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OFFSPRING_H_
