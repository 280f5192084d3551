// Writes a job's traces as JSON trace events. Perfetto and Chrome's viewer open
// such files.
//
// Process N + 1 stands for rank N, and a thread stands for a ring. Calls,
// handlers and waits are slices; text lines of the client are instants;
// messages are flows. All times are microseconds on the time axis of the job.
// The object's "otherData" has the errors of clocks, the losses, and the ranks
// without flows.
#ifndef TOOLS_GASNET_TRACE_CHROME_H_
#define TOOLS_GASNET_TRACE_CHROME_H_

#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"

namespace gasnet::trace {

// Writes the job. Keeps in memory the slices within one outermost call at a
// time, and the sending and receiving ends of all messages.
void WriteChrome(const JobTrace& job, TextWriter& out);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_CHROME_H_
