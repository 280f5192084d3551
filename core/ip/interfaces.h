// The addresses of this host that a job could use, and their selection by a
// text that the user sets.
#ifndef CORE_IP_INTERFACES_H_
#define CORE_IP_INTERFACES_H_

#include <net/if.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/address.h"

namespace gasnet::ip {

// One address of one interface that is up. Trivially copyable.
struct HostInterface {
  std::array<char, IF_NAMESIZE> name = {};
  Address address;
  uint8_t prefix_bits = 0;
  uint32_t mtu = 0;  // bytes

  std::string_view Name() const { return name.data(); }
};

// Returns the addresses of this host, in the system's order.
absl::StatusOr<std::vector<HostInterface>> LocalInterfaces();

// Returns true if the text is an address, a network (192.0.2.0/24), or possibly
// the name of an interface.
bool IsSelection(std::string_view text);
// Returns true if the text, the value of an environment variable, selects the
// interface.
bool Selects(std::string_view text, const HostInterface& interface);

}  // namespace gasnet::ip

#endif  // CORE_IP_INTERFACES_H_
