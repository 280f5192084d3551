// The conduit for hosts that IP connects. It uses core/datagram between hosts,
// and core/hostshm among the ranks of a host. Transfers of mapped memory use
// loads and stores. Transfers of all other memory use the reference extended
// API over active messages.
#ifndef CONDUITS_UDP_UDP_CONDUIT_H_
#define CONDUITS_UDP_UDP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::udp {

// The exported functions of a library (export/linked_library.inc) refer to the
// conduit by this symbol name.
extern const Conduit kConduit __asm__("gasneti_core_conduit_udp");

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_UDP_CONDUIT_H_
