// The processes that this one starts and must not leave behind: the guardian
// that kills them when we are killed, the orphans that come to us, and the
// limit on open files that it takes. A launcher and an agent own one each, and
// end it after everything they have started has ended.
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
  // For up to `processes` that are started here.
  static absl::StatusOr<std::unique_ptr<Offspring>> Create(uint32_t processes);

  // Where the process group of the next one is noted (Guardian::slot).
  std::atomic<pid_t>& NextSlot() { return guardian_->slot(next_slot_++); }
  // The limit that it gets.
  const rlimit& open_files() const { return open_files_; }

  // Reaps orphans that have ended. When a child has.
  void ReapOrphans();

  // Kills and reaps what is left.
  void CleanUp();

 private:
  Offspring(std::unique_ptr<Guardian> guardian, const rlimit& open_files)
      : guardian_(std::move(guardian)), open_files_(open_files) {}

  const std::unique_ptr<Guardian> guardian_;
  Orphans orphans_;  // After the guardian, which is none.
  const rlimit open_files_;
  uint32_t next_slot_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OFFSPRING_H_
