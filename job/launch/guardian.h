// A tiny process that outlives a launcher killed by SIGKILL, for as long as it
// takes to kill the process groups of its ranks.
//
// It sleeps on a pipe whose other end only the launcher has; when that end is
// gone without Dismiss, it kills every group whose number is in the table,
// which both share. It is in a session of its own, takes no signals, and holds
// no other descriptor.
#ifndef JOB_LAUNCH_GUARDIAN_H_
#define JOB_LAUNCH_GUARDIAN_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

class Guardian {
 public:
  // Forks it. `ranks`: how many groups there may be.
  static absl::StatusOr<std::unique_ptr<Guardian>> Start(uint32_t ranks);

  // Leaves the guardian on duty: for a forked rank, which must not hold the
  // pipe.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // Where the process group of a rank is noted (0: none), best by the new
  // process itself before it runs anything else.
  std::atomic<pid_t>& slot(uint32_t rank) { return groups_[rank]; }

  // The launcher has left nothing behind: the guardian ends and is reaped.
  void Dismiss();

 private:
  Guardian(std::span<std::atomic<pid_t>> groups, UniqueFd alive);

  [[noreturn]] void Guard(int launcher_is_alive);

  const std::span<std::atomic<pid_t>> groups_;  // Shared memory.
  UniqueFd alive_;
  pid_t pid_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_GUARDIAN_H_
