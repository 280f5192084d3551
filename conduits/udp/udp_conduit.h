// The conduit for hosts that reach each other by IP.
//
// It is core/hostshm among the ranks of a host (of a supernode, where
// GASNET_SUPERNODE_MAXSIZE divides the host) and core/datagram among all
// others, composed by core/network. Memory that is mapped is reached by loads
// and stores, everything else by the reference extended API over active
// messages.
#ifndef CONDUITS_UDP_UDP_CONDUIT_H_
#define CONDUITS_UDP_UDP_CONDUIT_H_

#include <string_view>

#include "absl/status/status.h"
#include "conduits/udp/network.h"
#include "core/network/conduit_over.h"

namespace gasnet::udp {

class UdpConduit : public network::ConduitOver<Network> {
 public:
  static constexpr std::string_view kName = "UDP";

  static absl::Status Start(int* argc, char*** argv, std::string_view config);
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_UDP_CONDUIT_H_
