// The waits of a rank, as a diagnosis sees them, and the ranks that they wait
// for.
#ifndef JOB_STATUS_WAIT_TARGETS_H_
#define JOB_STATUS_WAIT_TARGETS_H_

#include <cstdint>
#include <vector>

#include "job/status/job_status.h"
#include "job/status/status_page.h"

namespace gasnet::job {

using Ranks = std::vector<uint32_t>;

// Returns true if several ranks must come for such a wait to end.
bool IsMeeting(WaitFor what);

// Returns the wait without numbers that change while it lasts. Waits with the
// same result share a line.
Waiting Lasting(Waiting waiting);

// Returns the waits of the rank's threads. A wait for puts and gets to any rank
// is for the rank for which the network waits. If no thread waits, returns the
// wait of the network.
std::vector<RankWait> WaitsOf(const RankView& rank);

// Returns the ranks that the wait is for, in ascending order. Returns none if
// they are unknown.
Ranks TargetsOf(const JobView& job, const Waiting& waiting);

}  // namespace gasnet::job

#endif  // JOB_STATUS_WAIT_TARGETS_H_
