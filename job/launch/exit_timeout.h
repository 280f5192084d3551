// The time that ranks have to end by themselves (GASNET_EXITTIMEOUT).
#ifndef JOB_LAUNCH_EXIT_TIMEOUT_H_
#define JOB_LAUNCH_EXIT_TIMEOUT_H_

#include <cstdint>

namespace gasnet::job {

// Returns the time that ranks have to end by themselves once the job ends. It
// is GASNET_EXITTIMEOUT seconds. If that variable is not set, the time is
// min(GASNET_EXITTIMEOUT_MAX, GASNET_EXITTIMEOUT_MIN +
// GASNET_EXITTIMEOUT_FACTOR * size), by default 2 s + 10 ms per rank, at most
// 120 s.
int64_t ExitTimeoutNanos(uint32_t size);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_EXIT_TIMEOUT_H_
