// The conduit for hosts that reach each other by IP: core/datagram, and
// core/hostshm among the ranks of a host. Mapped memory is reached by loads and
// stores, everything else by the reference extended API over active messages.
#ifndef CONDUITS_UDP_UDP_CONDUIT_H_
#define CONDUITS_UDP_UDP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::udp {

// The symbol has a name that the front of a library knows
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_udp");

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_UDP_CONDUIT_H_
