// Backtraces of a failing process.
#ifndef GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
#define GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_

namespace gasnet::tools {

// Makes base/failure.h print backtraces as GASNET_BACKTRACE_TYPE says now,
// since a signal handler cannot read settings.
void PrepareCrashBacktraces();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
