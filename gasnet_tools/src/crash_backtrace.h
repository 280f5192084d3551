// Backtraces of a process that fails.
#ifndef GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
#define GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_

namespace gasnet::tools {

// Has base/failure.h print backtraces the way that GASNET_BACKTRACE_TYPE says
// now: a signal handler cannot ask for settings.
void PrepareCrashBacktraces();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
