// The processes that this one starts and must not leave behind. It has the
// guardian that kills them if this process is killed, the orphans that this
// process inherits, and the limit on open files that this needs. A launcher and
// an agent own one each, and end it after all processes that they have started
// have ended.
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
  // Makes it for up to `processes` that are started here.
  static absl::StatusOr<std::unique_ptr<Offspring>> Create(uint32_t processes);

  // The place for the process group of the next process (Guardian::slot).
  std::atomic<pid_t>& NextSlot() { return guardian_->slot(next_slot_++); }
  // The limit that it gets on open files.
  const rlimit& open_files() const { return open_files_; }

  // Reaps orphans that have ended. Called when a child has ended.
  void ReapOrphans();

  // Kills and reaps all that are left.
  void CleanUp();

 private:
  Offspring(std::unique_ptr<Guardian> guardian, const rlimit& open_files)
      : guardian_(std::move(guardian)), open_files_(open_files) {}

  const std::unique_ptr<Guardian> guardian_;
  Orphans orphans_;  // Made after the guardian, which is no orphan.
  const rlimit open_files_;
  uint32_t next_slot_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OFFSPRING_H_
