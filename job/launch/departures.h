// Ranks that no longer run handlers although the job goes on. The other ranks
// are notified, since messages to such a rank need not arrive. Departures
// within kDeparturesNanos are reported together. Only one thread may use it.
#ifndef JOB_LAUNCH_DEPARTURES_H_
#define JOB_LAUNCH_DEPARTURES_H_

#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace gasnet::job {

class Departures {
 public:
  explicit Departures(uint32_t ranks) : has_departed_(ranks, false) {}

  // Records that a rank departs. Later calls for the same rank do nothing.
  // Before the job has begun the other ranks are not notified, since none has
  // sent anything yet.
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
