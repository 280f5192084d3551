#include "core/ip/interfaces.h"

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

namespace gasnet::ip {
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

// A network in the notation 192.0.2.0/24.
struct Prefix {
  Address address;
  unsigned bits;
};

// Returns true if the text has a '/'. Interface names have none.
bool IsPrefix(std::string_view text) {
  return text.find('/') != std::string_view::npos;
}

std::optional<Prefix> ParsePrefix(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<Address> address = Address::Parse(text.substr(0, slash));
  const std::optional<int64_t> bits = ParseInt(text.substr(slash + 1));
  if (!address || !bits) return std::nullopt;
  const int64_t most = address->family() == AF_INET ? 32 : 128;
  if (*bits < 0 || *bits > most) return std::nullopt;
  return Prefix{*address, static_cast<unsigned>(*bits)};
}

}  // namespace

absl::StatusOr<std::vector<HostInterface>> LocalInterfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    return absl::ErrnoToStatus(errno, "listing the addresses of this host");
  }
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  std::vector<HostInterface> found;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    const std::optional<Address> address = Address::From(at->ifa_addr);
    constexpr unsigned kUsable = IFF_UP | IFF_RUNNING;
    if (!address || (at->ifa_flags & kUsable) != kUsable) continue;
    if (address->IsLinkLocal()) continue;
    HostInterface interface;
    strncpy(interface.name.data(), at->ifa_name, interface.name.size() - 1);
    interface.address = *address;
    interface.prefix_bits = PrefixBits(at->ifa_netmask);
    interface.mtu = Mtu(at->ifa_name);
    found.push_back(interface);
  }
  return found;
}

bool IsSelection(std::string_view text) {
  return !IsPrefix(text) || ParsePrefix(text);
}

bool Selects(std::string_view text, const HostInterface& interface) {
  if (IsPrefix(text)) {
    const std::optional<Prefix> prefix = ParsePrefix(text);
    return prefix &&
           prefix->address.SharesPrefix(interface.address, prefix->bits);
  }
  const std::optional<Address> address = Address::Parse(text);
  return address ? address->SameHost(interface.address)
                 : interface.Name() == text;
}

}  // namespace gasnet::ip
