// The events of a job, one line for each, in the order of time over all ranks.
#ifndef TOOLS_GASNET_TRACE_EVENT_LINES_H_
#define TOOLS_GASNET_TRACE_EVENT_LINES_H_

#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"

namespace gasnet::trace {

// Writes the events of all rings. Reads all rings in parallel, and holds a part
// of each ring in memory. Comments on lost events come last, and begin with
// '#'.
void WriteEventLines(const JobTrace& job, TextWriter& out);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_EVENT_LINES_H_
