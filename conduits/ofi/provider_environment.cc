#include "conduits/ofi/provider_environment.h"

#include <stdio.h>
#include <stdlib.h>

#include <string>

#include "base/own_env.h"

namespace gasnet::ofi {
namespace {

// Unsets an empty variable: to libfabric, an empty list excludes all providers.
void UnsetIfEmpty(const char* name) {
  if (OwnEnv(name) == nullptr) unsetenv(name);
}

void SetIfUnset(const char* name, const char* value) {
  if (OwnEnv(name) == nullptr) setenv(name, value, /*overwrite=*/1);
}

std::string UuidOf(uint32_t cookie) {
  char text[40];
  snprintf(text, sizeof text, "%08x-4741-534e-8574-2d6f66690000", cookie);
  return text;
}

}  // namespace

void SetProviderEnvironment(uint32_t ranks, uint32_t cookie) {
  UnsetIfEmpty("FI_PROVIDER");
  SetIfUnset("FI_UNIVERSE_SIZE", std::to_string(ranks).c_str());
  const std::string uuid = UuidOf(cookie);
  for (const char* const name :
       {"FI_PSM2_UUID", "FI_PSM3_UUID", "FI_OPX_UUID"}) {
    SetIfUnset(name, uuid.c_str());
  }
  SetIfUnset("HFI_NO_CPUAFFINITY", "1");
  SetIfUnset("IPATH_NO_CPUAFFINITY", "1");
  // By default, provider cxi matches messages in hardware, and may run out of
  // match entries under load.
  SetIfUnset("FI_CXI_RX_MATCH_MODE", "hybrid");
}

}  // namespace gasnet::ofi
