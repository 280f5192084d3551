// Peers that the provider says it cannot reach any more. Under the lock of the
// network.
#ifndef CONDUITS_OFI_LOST_PEERS_H_
#define CONDUITS_OFI_LOST_PEERS_H_

#include "core/network/lost_peers.h"

namespace gasnet::ofi {

class LostPeers : public network::LostPeers {
 public:
  // Whether this error of libfabric's may be the end of a peer's process.
  static bool Explains(int error);
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LOST_PEERS_H_
