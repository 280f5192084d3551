// The choice of the address by which each host of a job reaches the others.
//
// Every rank chooses from the listings of all hosts, by the same rules. The
// first rule that applies decides:
//
//     GASNET_WORKERIP   its value on all hosts: an address, an interface, or
//                       a network (192.0.2.0/24); on host 0 the value of
//                       GASNET_MASTERIP instead, if set. An error if another
//                       machine has the same address
//     GASNET_MASTERIP   its value on host 0; on the others the first address
//                       in the same network
//     one machine       loopback
//     otherwise         the network in which all hosts have an address and
//                       by which most of them were reached; the first of
//                       several, in host 0's order
//
// The last rule may find no network, or one that has not reached all hosts. The
// hosts then prefer addresses of one family by which all hosts were reached. If
// no family has such addresses, the network of the last rule is used after all.
// If there is none, each host takes the address by which it was reached, or
// else its first address, all in one family.
//
// The last rule considers only addresses that are neither loopback nor
// link-local, and that only one host has. Bridges for containers have the same
// address on several hosts. The address by which a host was reached is the
// address of its end of the connection through which its agent was started. The
// host that starts agents counts as reached by the address of its own end.
#ifndef CORE_IP_ADDRESS_CHOICE_H_
#define CORE_IP_ADDRESS_CHOICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"

namespace gasnet::ip {

// The user's choice; empty if unset.
struct AddressWishes {
  std::string master;  // GASNET_MASTERIP
  std::string worker;  // GASNET_WORKERIP
};

// Returns the chosen interface of each host, indexed by host. The error names
// the host and its addresses. The time is proportional to the number of
// addresses of all hosts.
absl::StatusOr<std::vector<HostInterface>> ChooseInterfaces(
    const std::vector<HostListing>& hosts, const AddressWishes& wishes);

}  // namespace gasnet::ip

#endif  // CORE_IP_ADDRESS_CHOICE_H_
