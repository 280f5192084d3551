#include "conduits/portals/portals_conduit.h"

#include <algorithm>

#include "core/conduit.h"

namespace gasnet::portals {

uintptr_t PortalsConduit::MaxLocalSegment() {
  const uintptr_t most = ConduitOver::MaxLocalSegment();
  // Of everything messages reach what cannot be pinned.
  if (most == UINTPTR_MAX || network() == nullptr) return most;
  return std::min(most, network()->most_pinned());
}

absl::Status PortalsConduit::Start(int* argc, char*** argv,
                                   std::string_view config) {
  return StartOver(argc, argv, config, &Network::Open);
}

static_assert(Conduit<PortalsConduit> && ConduitHasBarrier<PortalsConduit> &&
              ConduitHasSupernodes<PortalsConduit> &&
              ConduitActsBeforeExit<PortalsConduit> &&
              ConduitHasRma<PortalsConduit>);

}  // namespace gasnet::portals
