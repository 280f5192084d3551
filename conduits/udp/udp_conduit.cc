#include "conduits/udp/udp_conduit.h"

#include "conduits/udp/network.h"
#include "conduits/udp/spawn_function.h"

namespace gasnet::udp {

const Conduit kConduit = {.name = "udp",
                          .open = &OpenNetwork<UdpNetwork>,
                          .before_start = &ObeySpawnFunction};

}  // namespace gasnet::udp
