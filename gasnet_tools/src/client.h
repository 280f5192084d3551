// Detects at link time whether the program is a client of gasnet.h too: the
// tools refer weakly to symbols that every libgasnet defines.
#ifndef GASNET_TOOLS_SRC_CLIENT_H_
#define GASNET_TOOLS_SRC_CLIENT_H_

namespace gasnet::tools {

// Returns true if a libgasnet is part of the program.
bool HasGasnet();

// Returns true in the only process, or in the process that reports for the
// whole job. Before gasnet_init it returns true in every process.
bool IsNodeZero();

// Calls gasnet_getenv if there is one, else getenv.
char* JobEnvironment(const char* name);

// Makes GASNET_BACKTRACE and GASNET_FREEZE_ON_ERROR work without gasnet_init,
// and makes failures print the stack as GASNET_BACKTRACE_TYPE says. Only the
// first call has an effect.
void EnsureFailureHandling();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CLIENT_H_
