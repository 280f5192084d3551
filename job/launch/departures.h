// Ranks that run no handler any more while the job goes on, and of which the
// others are yet to hear: what they have sent to such a rank need not arrive.
// Those that depart within kDeparturesNanos are told together. One thread.
#ifndef JOB_LAUNCH_DEPARTURES_H_
#define JOB_LAUNCH_DEPARTURES_H_

#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace gasnet::job {

class Departures {
 public:
  explicit Departures(uint32_t ranks) : has_departed_(ranks, false) {}

  // A rank departs; only its first time counts. Before the job has begun nobody
  // has sent anything, so nobody need hear of it.
  void Add(uint32_t rank, bool has_job_begun);

  // The ranks to tell of now, if any.
  std::vector<uint32_t> TakeDue(int64_t now);
  // When TakeDue next has some.
  int64_t deadline() const { return untold_.empty() ? kNever : due_at_; }

 private:
  std::vector<bool> has_departed_;
  std::vector<uint32_t> untold_;
  int64_t due_at_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_DEPARTURES_H_
