// Backtraces of a failing process.
#ifndef GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
#define GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_

namespace gasnet::tools {

// Makes base/failure.h print backtraces in the ways that GASNET_BACKTRACE_TYPE
// lists now. This call reads the setting, since a signal handler cannot.
void PrepareCrashBacktraces();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CRASH_BACKTRACE_H_
