// The conduit for hosts that Portals 4 reaches.
//
// It is core/hostshm among the ranks of a host (of a supernode, where
// GASNET_SUPERNODE_MAXSIZE divides the host) and Portals among all others,
// composed by core/network. DESIGN.md says how.
#ifndef CONDUITS_PORTALS_PORTALS_CONDUIT_H_
#define CONDUITS_PORTALS_PORTALS_CONDUIT_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/network.h"
#include "core/network/conduit_over.h"

namespace gasnet::portals {

class PortalsConduit : public network::ConduitOver<Network> {
 public:
  static constexpr std::string_view kName = "PORTALS";

  static uintptr_t MaxLocalSegment();
  static absl::Status Start(int* argc, char*** argv, std::string_view config);

  // GASNET_BARRIER calls it PORTAL.
  using Barrier = portals::Barrier;
  static Barrier* barrier() {
    return network() != nullptr ? network()->barrier() : nullptr;
  }
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_PORTALS_CONDUIT_H_
