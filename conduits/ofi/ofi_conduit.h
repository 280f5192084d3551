// The conduit for hosts on a network that libfabric supports. Messages travel
// as frames that cost credit, puts and gets use remote memory access, and ranks
// of one host use core/hostshm. DESIGN.md explains the conduit.
#ifndef CONDUITS_OFI_OFI_CONDUIT_H_
#define CONDUITS_OFI_OFI_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::ofi {

// The public functions of a library refer to the conduit by this symbol name
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_ofi");

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_OFI_CONDUIT_H_
