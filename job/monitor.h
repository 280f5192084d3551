// The thread in every rank that waits on the control channel. All signals are
// blocked in it, so the client's handlers never run there.
#ifndef JOB_MONITOR_H_
#define JOB_MONITOR_H_

#include <cstdint>

#include "absl/status/status.h"

namespace gasnet::job {

class ControlLink;

// Starts it; it lives as long as the process. It delivers what is gathered, and
// when the launcher ends the job, or is gone, it ends the process, giving the
// client `grace`.
absl::Status StartMonitor(ControlLink& link, int64_t grace_nanos);

}  // namespace gasnet::job

#endif  // JOB_MONITOR_H_
