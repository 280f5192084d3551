// The networks in which all hosts of a job have an address.
#ifndef CORE_IP_COMMON_NETWORKS_H_
#define CORE_IP_COMMON_NETWORKS_H_

#include <cstddef>
#include <vector>

#include "core/ip/candidates.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"

namespace gasnet::ip {

struct CommonNetwork {
  // Each host's interface in the network: the first, or the one by which the
  // host was reached.
  std::vector<const HostInterface*> chosen;
  size_t reached = 0;  // number of hosts reached by their chosen interface
};

// Returns the networks in the order of host 0's interfaces. Requires at least
// one host.
std::vector<CommonNetwork> CommonNetworks(const std::vector<HostListing>& hosts,
                                          const Candidates& candidates);

}  // namespace gasnet::ip

#endif  // CORE_IP_COMMON_NETWORKS_H_
