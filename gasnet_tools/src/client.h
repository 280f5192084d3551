// Detects if the program is also a client of gasnet.h. The linker decides: the
// tools refer weakly to symbols that every libgasnet defines.
#ifndef GASNET_TOOLS_SRC_CLIENT_H_
#define GASNET_TOOLS_SRC_CLIENT_H_

namespace gasnet::tools {

// Returns true if a libgasnet is part of the program.
bool HasGasnet();

// Returns true in the process that reports for the whole job, and in a program
// without a job. Before gasnet_init it returns true in every process.
bool IsNodeZero();

// Reads a variable by gasnet_getenv if a libgasnet is part of the program, else
// by getenv.
char* JobEnvironment(const char* name);

// Makes GASNET_BACKTRACE and GASNET_FREEZE_ON_ERROR work without gasnet_init.
// Also makes failures print the stack in the ways that GASNET_BACKTRACE_TYPE
// lists. Only the first call has an effect.
void EnsureFailureHandling();

}  // namespace gasnet::tools

#endif  // GASNET_TOOLS_SRC_CLIENT_H_
