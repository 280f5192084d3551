#include "conduits/ofi/ofi_conduit.h"

#include "conduits/ofi/network.h"

namespace gasnet::ofi {

const Conduit kConduit = {.name = "ofi", .open = &OpenNetwork<OfiNetwork>};

}  // namespace gasnet::ofi
