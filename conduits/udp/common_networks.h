// The networks that all hosts of a job have an address in.
#ifndef CONDUITS_UDP_COMMON_NETWORKS_H_
#define CONDUITS_UDP_COMMON_NETWORKS_H_

#include <cstddef>
#include <vector>

#include "conduits/udp/candidates.h"
#include "conduits/udp/host_listing.h"
#include "conduits/udp/interfaces.h"

namespace gasnet::udp {

struct CommonNetwork {
  // By host: its first interface there, or the one by which it was reached.
  std::vector<const Interface*> chosen;
  size_t reached = 0;  // hosts that were, by the chosen one
};

// In the order of host 0's interfaces; there is at least one host.
std::vector<CommonNetwork> CommonNetworks(const std::vector<HostListing>& hosts,
                                          const Candidates& candidates);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_COMMON_NETWORKS_H_
