// Whether the program is a client of gasnet.h too, found out when it is linked:
// the tools refer weakly to what every libgasnet defines.
#ifndef GASNET_TOOLS_SRC_CLIENT_H_
#define GASNET_TOOLS_SRC_CLIENT_H_

namespace gasnet::tools {

// A libgasnet is part of the program.
bool HasGasnet();

// The only process, or the one of its job that tells news of the whole job.
// Before gasnet_init every process is.
bool IsNodeZero();

// gasnet_getenv where there is one, getenv otherwise.
char* JobEnvironment(const char* name);

// Makes GASNET_BACKTRACE and GASNET_FREEZE_ON_ERROR work where no gasnet_init
// does, and failures print the stack the way that GASNET_BACKTRACE_TYPE says.
// Only the first call has an effect.
void EnsureFailureHandling();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CLIENT_H_
