// Variables that providers read from the process's environment and whose values
// a job knows better than they do.
#ifndef CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_
#define CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_

#include <cstdint>

namespace gasnet::ofi {

// Sets each variable that is not set: how many endpoints will talk to each
// other; by what providers for Omni-Path tell jobs from each other; that they
// are not to bind threads. Before the library is loaded. While no other thread
// reads the environment: in gasnet_init.
void SetProviderEnvironment(uint32_t ranks, uint32_t cookie);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_
