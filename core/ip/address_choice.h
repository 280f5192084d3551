// By which of its addresses each host of a job talks to the others.
//
// From the listings of all hosts every rank chooses, by the same rules:
//
//   one machine         loopback
//   GASNET_WORKERIP     what it names: an address, an interface, or a network
//                       (192.0.2.0/24); on host 0 GASNET_MASTERIP where set.
//                       An error where different machines have it
//   otherwise           the network of host 0 that all hosts have an address
//                       in, and by which the most of them have been reached;
//                       the first one of several
//   no such network, or not the one by which all have been reached
//                       the addresses by which all have been reached, of one
//                       family; or else each host's first one
//
// Those are addresses that are neither loopback nor link-local, nor another
// host's as well, as that of a bridge for containers is. A host has been
// reached by the address that its agent was started through, or that other
// agents have been started from.
#ifndef CORE_IP_ADDRESS_CHOICE_H_
#define CORE_IP_ADDRESS_CHOICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"

namespace gasnet::ip {

// The choice of a user; empty: none.
struct AddressWishes {
  std::string master;  // GASNET_MASTERIP
  std::string worker;  // GASNET_WORKERIP
};

// For each host, by its index, one of its interfaces. The error names the host
// and what it has. Takes time in proportion to the addresses of all hosts.
absl::StatusOr<std::vector<Interface>> ChooseInterfaces(
    const std::vector<HostListing>& hosts, const AddressWishes& wishes);

}  // namespace gasnet::ip

#endif  // CORE_IP_ADDRESS_CHOICE_H_
