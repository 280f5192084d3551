// Sets environment variables that providers read. The job's values for these
// variables are better than the providers' defaults.
#ifndef CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_
#define CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_

#include <cstdint>

namespace gasnet::ofi {

// Sets the following in the environment, unless the variables are set already:
//
//   - the number of endpoints that will communicate
//   - the identifier that distinguishes jobs on Omni-Path
//   - that providers do not bind threads to processors
//
// Called in gasnet_init, before the library is loaded and while no other thread
// reads the environment.
void SetProviderEnvironment(uint32_t ranks, uint32_t cookie);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_PROVIDER_ENVIRONMENT_H_
