// A job's traces in the JSON of trace events, which Perfetto and Chrome's
// viewer open.
//
// Process N + 1 stands for rank N, and a thread for a ring. Calls, handlers and
// waits are slices, lines of the client are instants, messages are flows. All
// times are microseconds on the axis of the job. The object's "otherData" has
// the errors of clocks, the losses, and the ranks without flows.
#ifndef TOOLS_GASNET_TRACE_CHROME_H_
#define TOOLS_GASNET_TRACE_CHROME_H_

#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"

namespace gasnet::trace {

// Holds the slices around one outermost call at a time, and the places of all
// messages.
void WriteChrome(const JobTrace& job, Output& out);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_CHROME_H_
