// The summary of a job's traces: times of calls, waits and handlers.
#ifndef TOOLS_GASNET_TRACE_SUMMARY_H_
#define TOOLS_GASNET_TRACE_SUMMARY_H_

#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"

namespace gasnet::trace {

void WriteSummary(const JobTrace& job, TextWriter& out);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_SUMMARY_H_
