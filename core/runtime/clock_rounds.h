// Estimates the offset between this rank's clock and that of rank 0, for traces
// of jobs on several hosts.
#ifndef CORE_RUNTIME_CLOCK_ROUNDS_H_
#define CORE_RUNTIME_CLOCK_ROUNDS_H_

#include "core/observe/trace_format.h"
#include "job/job.h"

namespace gasnet::observe {

// Returns the estimated offset of this rank's clock, with its error
// (observe/clock_offset.h). Collective. Exchanges messages with all ranks
// several times.
TraceOffset OffsetOfClock(job::Job& job);

}  // namespace gasnet::observe

#endif  // CORE_RUNTIME_CLOCK_ROUNDS_H_
