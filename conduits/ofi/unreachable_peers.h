// The peers that the provider reports as unreachable. Not thread-safe: used
// under the lock of the network.
#ifndef CONDUITS_OFI_UNREACHABLE_PEERS_H_
#define CONDUITS_OFI_UNREACHABLE_PEERS_H_

#include "core/network/lost_peers.h"

namespace gasnet::ofi {

class UnreachablePeers : public network::LostPeers {
 public:
  // Returns true if the libfabric error `error` may be due to the end of a
  // peer's process.
  static bool Explains(int error);
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_UNREACHABLE_PEERS_H_
