#include "conduits/udp/interfaces.h"

#include <ifaddrs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/env_parse.h"
#include "base/unique_fd.h"

namespace gasnet::udp {
namespace {

using Hosts = std::vector<std::vector<Interface>>;

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

bool IsCandidate(const Interface& interface) {
  return !interface.address.IsLoopback() && !interface.address.IsLinkLocal();
}

bool SharesNetwork(const Interface& a, const Interface& b) {
  return a.prefix_bits == b.prefix_bits &&
         a.address.SharesPrefix(b.address, a.prefix_bits);
}

// Whether another host has the same address.
bool IsRepeated(const Hosts& hosts, size_t host, const Interface& interface) {
  for (size_t other = 0; other < hosts.size(); ++other) {
    if (other == host) continue;
    for (const Interface& theirs : hosts[other]) {
      if (theirs.address.SameHost(interface.address)) return true;
    }
  }
  return false;
}

// The first interface of a host for which `fits` is true.
template <class Fits>
const Interface* Find(const std::vector<Interface>& host, Fits fits) {
  const auto found = std::find_if(host.begin(), host.end(), fits);
  return found == host.end() ? nullptr : &*found;
}

std::string List(const std::vector<Interface>& host) {
  std::string text;
  for (const Interface& interface : host) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", interface.name.data(), " ",
                    interface.address.ToString(), "/",
                    static_cast<int>(interface.prefix_bits));
  }
  return text.empty() ? "nothing" : text;
}

// The interfaces that every host has in the network of `first`; empty where one
// has none.
std::vector<Interface> InNetworkOf(const Hosts& hosts, const Interface& first) {
  std::vector<Interface> chosen;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const Interface* const found =
        Find(hosts[host], [&](const Interface& interface) {
          return IsCandidate(interface) && SharesNetwork(interface, first) &&
                 !IsRepeated(hosts, host, interface);
        });
    if (found == nullptr) return {};
    chosen.push_back(*found);
  }
  return chosen;
}

// Each host's first address of a family; empty where one has none.
std::vector<Interface> OfFamily(const Hosts& hosts, sa_family_t family) {
  std::vector<Interface> chosen;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const Interface* const found =
        Find(hosts[host], [&](const Interface& interface) {
          return IsCandidate(interface) &&
                 interface.address.family() == family &&
                 !IsRepeated(hosts, host, interface);
        });
    if (found == nullptr) return {};
    chosen.push_back(*found);
  }
  return chosen;
}

absl::StatusOr<std::vector<Interface>> ChooseFreely(const Hosts& hosts) {
  for (const Interface& first : hosts[0]) {
    std::vector<Interface> chosen = InNetworkOf(hosts, first);
    if (!chosen.empty()) return chosen;
  }
  for (const sa_family_t family : {AF_INET, AF_INET6}) {
    std::vector<Interface> chosen = OfFamily(hosts, family);
    if (!chosen.empty()) return chosen;
  }
  std::string all;
  for (size_t host = 0; host < hosts.size(); ++host) {
    absl::StrAppend(&all, "; host ", host, " has ", List(hosts[host]));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the hosts of this job have no network in common", all,
                   " (GASNET_WORKERIP chooses one)"));
}

// What selects a host's address, and the variable it comes from.
struct Wish {
  const char* variable;
  const std::string& text;
};

Wish WishFor(size_t host, const AddressWishes& wishes) {
  if (host == 0 && !wishes.master.empty()) {
    return {"GASNET_MASTERIP", wishes.master};
  }
  return {"GASNET_WORKERIP", wishes.worker};
}

// Of one family, since others cannot talk to each other. Where a host has none
// that fits, the error is about that host.
absl::StatusOr<std::vector<Interface>> ChooseOfFamily(
    const Hosts& hosts, const AddressWishes& wishes, sa_family_t family) {
  std::vector<Interface> chosen;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const Wish wish = WishFor(host, wishes);
    const Interface* const found = Find(hosts[host], [&](const Interface& i) {
      return i.address.family() == family && Selects(wish.text, i);
    });
    if (found == nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat(wish.variable, " is '", wish.text, "': host ", host,
                       " has no such ", family == AF_INET ? "IPv4" : "IPv6",
                       " address; it has ", List(hosts[host])));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

absl::StatusOr<std::vector<Interface>> ChooseAsWished(
    const Hosts& hosts, const AddressWishes& wishes) {
  absl::StatusOr<std::vector<Interface>> v4 =
      ChooseOfFamily(hosts, wishes, AF_INET);
  if (v4.ok()) return v4;
  absl::StatusOr<std::vector<Interface>> v6 =
      ChooseOfFamily(hosts, wishes, AF_INET6);
  if (v6.ok()) return v6;
  // The error about the family that the user seems to mean.
  const std::string& first = WishFor(0, wishes).text;
  return first.find(':') == std::string::npos ? v4 : v6;
}

}  // namespace

std::vector<Interface> LocalInterfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  std::vector<Interface> found;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    const std::optional<Address> address = Address::From(at->ifa_addr);
    constexpr unsigned kUsable = IFF_UP | IFF_RUNNING;
    if (!address || (at->ifa_flags & kUsable) != kUsable) continue;
    if (address->IsLinkLocal()) continue;
    if (found.size() == kMostInterfaces) break;
    Interface interface;
    strncpy(interface.name.data(), at->ifa_name, interface.name.size() - 1);
    interface.address = *address;
    interface.prefix_bits = PrefixBits(at->ifa_netmask);
    interface.mtu = Mtu(at->ifa_name);
    found.push_back(interface);
  }
  return found;
}

bool Selects(std::string_view text, const Interface& interface) {
  const size_t slash = text.find('/');
  const std::optional<Address> address = Address::Parse(text.substr(0, slash));
  if (!address) return interface.Name() == text;
  if (slash == std::string_view::npos) {
    return address->SameHost(interface.address);
  }
  const std::optional<int64_t> bits = ParseInt(text.substr(slash + 1));
  return bits && *bits >= 0 && *bits <= 128 &&
         address->SharesPrefix(interface.address, static_cast<unsigned>(*bits));
}

absl::StatusOr<std::vector<Interface>> ChooseInterfaces(
    const Hosts& hosts, const AddressWishes& wishes) {
  // Where only the master's is chosen the others follow into its network.
  if (!wishes.worker.empty()) return ChooseAsWished(hosts, wishes);
  if (!wishes.master.empty()) {
    absl::StatusOr<std::vector<Interface>> master =
        ChooseAsWished({hosts[0]}, wishes);
    if (!master.ok()) return master.status();
    if (hosts.size() == 1) return master;
    std::vector<Interface> chosen = InNetworkOf(hosts, master->front());
    if (!chosen.empty()) return chosen;
    return absl::FailedPreconditionError(absl::StrCat(
        "GASNET_MASTERIP is '", wishes.master,
        "': not every host has an address in that network (GASNET_WORKERIP "
        "chooses theirs)"));
  }
  if (hosts.size() > 1) return ChooseFreely(hosts);
  const Interface* const loopback =
      Find(hosts[0], [](const Interface& i) { return i.address.IsLoopback(); });
  if (loopback != nullptr) return std::vector<Interface>{*loopback};
  return ChooseFreely(hosts);
}

}  // namespace gasnet::udp
