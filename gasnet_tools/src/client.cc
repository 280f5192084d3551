#include "gasnet_tools/src/client.h"

#include <stdlib.h>

#include <mutex>

#include "base/failure.h"
#include "gasnet/abi.h"
#include "gasnet_tools/src/crash_backtrace.h"

extern "C" {
char* gasnet_getenv(const char* name) __attribute__((weak));
extern gasneti_world_t gasneti_world __attribute__((weak));
}

namespace gasnet::tools {

bool HasGasnet() { return &gasnet_getenv != nullptr; }

bool IsNodeZero() {
  return &gasneti_world == nullptr || gasneti_world.mynode == 0;
}

char* JobEnvironment(const char* name) {
  return HasGasnet() ? gasnet_getenv(name) : getenv(name);
}

void EnsureFailureHandling() {
  static std::once_flag once;
  if (!HasGasnet()) std::call_once(once, InitFailureHandling);
  PrepareCrashBacktraces();
}

}  // namespace gasnet::tools
