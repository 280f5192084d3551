// The offset of this rank's clock to that of rank 0, for traces of jobs on
// several hosts.
#ifndef CORE_RUNTIME_CLOCK_ROUNDS_H_
#define CORE_RUNTIME_CLOCK_ROUNDS_H_

#include "core/observe/trace_format.h"
#include "job/job.h"

namespace gasnet::observe {

// Collective. Exchanges messages with all ranks several times. Returns the
// estimated offset with its error (observe/clock_offset.h).
TraceOffset OffsetOfClock(job::Job& job);

}  // namespace gasnet::observe

#endif  // CORE_RUNTIME_CLOCK_ROUNDS_H_
