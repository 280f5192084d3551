// The conduit for hosts that libfabric reaches, by whatever network they have:
// messages as frames under credit, puts and gets by remote memory access, and
// core/hostshm among the ranks of a host. DESIGN.md says how.
#ifndef CONDUITS_OFI_OFI_CONDUIT_H_
#define CONDUITS_OFI_OFI_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::ofi {

extern const Conduit kConduit;

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_OFI_CONDUIT_H_
