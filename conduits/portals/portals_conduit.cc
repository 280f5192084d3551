#include "conduits/portals/portals_conduit.h"

#include "conduits/portals/network.h"

namespace gasnet::portals_conduit {

const Conduit kConduit = {.name = "portals",
                          .open = &OpenNetwork<PortalsNetwork>};

}  // namespace gasnet::portals_conduit
