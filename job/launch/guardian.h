// A tiny process that kills the process groups of a launcher's ranks if the
// launcher is killed by SIGKILL.
//
// The guardian sleeps on a pipe. Only the launcher has the pipe's other end
// open. If that end closes without Dismiss, the guardian kills every group in
// the table that both processes share. The guardian is in a session of its own,
// takes no signals, and holds no other descriptor.
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
  // Forks the guardian. The guardian's table has room for `ranks` groups.
  static absl::StatusOr<std::unique_ptr<Guardian>> Start(uint32_t ranks);

  // Leaves the guardian running. A forked rank destroys its copy of this
  // object, because it must not hold the pipe.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // Returns the table's entry for a rank's process group (0: none). The new
  // process should write the entry before it runs anything else.
  std::atomic<pid_t>& slot(uint32_t rank) { return groups_[rank]; }

  // Ends and reaps the guardian. Call it when no process of the launcher's
  // ranks is left.
  void Dismiss();

 private:
  Guardian(std::span<std::atomic<pid_t>> groups, UniqueFd alive);

  [[noreturn]] void Guard(int launcher_is_alive);

  // in memory that launcher, guardian and ranks share
  const std::span<std::atomic<pid_t>> groups_;
  UniqueFd alive_;
  pid_t pid_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_GUARDIAN_H_
