#include "conduits/udp/interfaces.h"

#include <errno.h>
#include <ifaddrs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bit>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "base/env_parse.h"
#include "base/unique_fd.h"

namespace gasnet::udp {
namespace {

uint8_t PrefixBits(const sockaddr* mask) {
  const std::optional<Address> address = Address::From(mask);
  if (!address) return 0;
  unsigned bits = 0;
  for (const char byte : address->bytes()) {
    bits += std::popcount(static_cast<uint8_t>(byte));
  }
  return static_cast<uint8_t>(bits);
}

uint32_t Mtu(const char* name) {
  constexpr uint32_t kEthernet = 1500;
  const UniqueFd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request = {};
  strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  if (ioctl(fd.get(), SIOCGIFMTU, &request) != 0) return kEthernet;
  return static_cast<uint32_t>(request.ifr_mtu);
}

}  // namespace

absl::StatusOr<std::vector<Interface>> LocalInterfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    return absl::ErrnoToStatus(errno, "listing the addresses of this host");
  }
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  std::vector<Interface> found;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    const std::optional<Address> address = Address::From(at->ifa_addr);
    constexpr unsigned kUsable = IFF_UP | IFF_RUNNING;
    if (!address || (at->ifa_flags & kUsable) != kUsable) continue;
    if (address->IsLinkLocal()) continue;
    Interface interface;
    strncpy(interface.name.data(), at->ifa_name, interface.name.size() - 1);
    interface.address = *address;
    interface.prefix_bits = PrefixBits(at->ifa_netmask);
    interface.mtu = Mtu(at->ifa_name);
    found.push_back(interface);
  }
  return found;
}

bool IsSelection(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return true;
  const std::optional<Address> address = Address::Parse(text.substr(0, slash));
  const std::optional<int64_t> bits = ParseInt(text.substr(slash + 1));
  const int64_t most = address && address->family() == AF_INET ? 32 : 128;
  return address && bits && *bits >= 0 && *bits <= most;
}

bool Selects(std::string_view text, const Interface& interface) {
  const size_t slash = text.find('/');
  const std::optional<Address> address = Address::Parse(text.substr(0, slash));
  if (!address) return interface.Name() == text;
  if (slash == std::string_view::npos) {
    return address->SameHost(interface.address);
  }
  const std::optional<int64_t> bits = ParseInt(text.substr(slash + 1));
  return IsSelection(text) &&
         address->SharesPrefix(interface.address, static_cast<unsigned>(*bits));
}

}  // namespace gasnet::udp
