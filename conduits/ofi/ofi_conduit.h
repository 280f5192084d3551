// The conduit for hosts that libfabric connects, over any network: messages as
// frames under credit, puts and gets by remote memory access, and core/hostshm
// among the ranks of a host. DESIGN.md explains it.
#ifndef CONDUITS_OFI_OFI_CONDUIT_H_
#define CONDUITS_OFI_OFI_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::ofi {

// The front of a library refers to this symbol name
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_ofi");

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_OFI_CONDUIT_H_
