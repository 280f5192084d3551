// Which of a host's addresses its ranks talk by.
//
// Every rank lists the addresses of its host. From all the lists every rank
// chooses, by the same rules, one address for each host:
//
//   one host            loopback
//   GASNET_WORKERIP     what it names: an address, an interface, or a network
//                       (192.0.2.0/24); on host 0 GASNET_MASTERIP where set
//   several hosts       the first network of host 0 that all hosts have an
//                       address in; an address that several hosts have (of a
//                       bridge for containers, say) counts for none of them
//   no common network   each host's first address that is neither loopback nor
//                       link-local, of one family
#ifndef CONDUITS_UDP_INTERFACES_H_
#define CONDUITS_UDP_INTERFACES_H_

#include <net/if.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/udp/address.h"

namespace gasnet::udp {

// One address of one interface that is up. Trivially copyable.
struct Interface {
  std::array<char, IF_NAMESIZE> name = {};
  Address address;
  uint8_t prefix_bits = 0;
  uint32_t mtu = 0;  // bytes

  std::string_view Name() const { return name.data(); }
};

// Those of this host; at most kMostInterfaces, in the system's order.
inline constexpr size_t kMostInterfaces = 32;
std::vector<Interface> LocalInterfaces();

// An address, a network or an interface's name, as the variables have it.
bool Selects(std::string_view text, const Interface& interface);

// What a user chose; empty: nothing.
struct AddressWishes {
  std::string master;  // GASNET_MASTERIP
  std::string worker;  // GASNET_WORKERIP
};

// For each host, by its index, one of its interfaces. The error names the host
// (by index) and what it has.
absl::StatusOr<std::vector<Interface>> ChooseInterfaces(
    const std::vector<std::vector<Interface>>& hosts,
    const AddressWishes& wishes);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_INTERFACES_H_
