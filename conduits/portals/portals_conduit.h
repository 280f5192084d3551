// The conduit for hosts on a Portals 4 network. The ranks of a host use
// core/hostshm among themselves. DESIGN.md explains the conduit.
#ifndef CONDUITS_PORTALS_PORTALS_CONDUIT_H_
#define CONDUITS_PORTALS_PORTALS_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::portals_conduit {

// The exported functions of a library (export/linked_library.inc) refer to the
// conduit by this symbol name.
extern const Conduit kConduit __asm__("gasneti_core_conduit_portals");

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_PORTALS_CONDUIT_H_
