// Records the ranks that no longer run handlers although the job goes on. The
// other ranks must know these ranks, because messages to them may be lost.
// Departures within kDeparturesNanos are reported together. Used by one thread.
#ifndef JOB_LAUNCH_DEPARTURES_H_
#define JOB_LAUNCH_DEPARTURES_H_

#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace gasnet::job {

class Departures {
 public:
  explicit Departures(uint32_t ranks) : has_departed_(ranks, false) {}

  // Records that a rank departs. Later calls for the same rank do nothing. If
  // the job has not begun, the other ranks are not notified, because no rank
  // has sent a message yet.
  void Add(uint32_t rank, bool has_job_begun);

  // Returns the ranks to report now, if any.
  std::vector<uint32_t> TakeDue(int64_t now);
  // The time at which TakeDue next returns a rank.
  int64_t deadline() const { return untold_.empty() ? kNever : due_at_; }

 private:
  std::vector<bool> has_departed_;
  std::vector<uint32_t> untold_;
  int64_t due_at_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_DEPARTURES_H_
