// The conduit for hosts that Portals 4 reaches: Portals, and core/hostshm among
// the ranks of a host. DESIGN.md explains it.
#ifndef CONDUITS_PORTALS_PORTALS_CONDUIT_H_
#define CONDUITS_PORTALS_PORTALS_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::portals {

// The symbol has a name that the front of a library knows
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_portals");

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_PORTALS_CONDUIT_H_
