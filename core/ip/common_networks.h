// The networks that all hosts of a job have an address in.
#ifndef CORE_IP_COMMON_NETWORKS_H_
#define CORE_IP_COMMON_NETWORKS_H_

#include <cstddef>
#include <vector>

#include "core/ip/candidates.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"

namespace gasnet::ip {

struct CommonNetwork {
  // By host: its first interface there, or the one by which it was reached.
  std::vector<const Interface*> chosen;
  size_t reached = 0;  // hosts that were, by the chosen one
};

// In the order of host 0's interfaces; there is at least one host.
std::vector<CommonNetwork> CommonNetworks(const std::vector<HostListing>& hosts,
                                          const Candidates& candidates);

}  // namespace gasnet::ip

#endif  // CORE_IP_COMMON_NETWORKS_H_
