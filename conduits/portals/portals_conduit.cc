#include "conduits/portals/portals_conduit.h"

#include "core/conduit.h"

namespace gasnet::portals {

Status PortalsConduit::Start(int* argc, char*** argv, std::string_view config) {
  return StartOver(argc, argv, config, &Network::Open);
}

static_assert(Conduit<PortalsConduit> && ConduitHasBarrier<PortalsConduit> &&
              ConduitHasSupernodes<PortalsConduit> &&
              ConduitActsBeforeExit<PortalsConduit> &&
              ConduitHasRma<PortalsConduit>);

}  // namespace gasnet::portals
